// Moving memory over itself in both directions.
#include <stdio.h>
#include <string.h>

int main(void) {
    for (int shift = -4; shift <= 4; shift++) {
        char text[] = "0123456789abcdef";
        memmove(text + 5 + shift, text + 5, 6);
        puts(text);
    }
    int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    memmove(numbers + 1, numbers, 6 * sizeof *numbers);
    for (int i = 0; i < 8; i++)
        printf("%d ", numbers[i]);
    putchar('\n');
    return 0;
}
