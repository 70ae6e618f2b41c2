// A growing array keeps its contents.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *numbers = NULL;
    size_t count = 0, room = 0;
    for (int i = 0; i < 100; i++) {
        if (count == room) {
            room = room ? room * 2 : 1;
            numbers = realloc(numbers, room * sizeof *numbers);
        }
        numbers[count++] = i * i;
    }
    long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    printf("%zu %zu %ld\n", count, room, sum);
    numbers = realloc(numbers, 3 * sizeof *numbers);
    printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
    free(numbers);
    free(NULL);
    return 0;
}
