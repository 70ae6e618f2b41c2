// Prefix and postfix steps on all kinds of places.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int i = 5;
    printf("%d\n", i++);
    printf("%d\n", ++i);
    printf("%d\n", i--);
    printf("%d\n", --i);
    uint8_t byte = 255;
    printf("%d\n", byte++);
    printf("%d\n", byte--);
    printf("%d\n", byte);
    double d = 0.5;
    d++;
    printf("%g ", d--);
    printf("%g\n", d);
    int numbers[] = {10, 20, 30, 40};
    int *p = numbers;
    printf("%d ", *p++);
    printf("%d ", (*p)++);
    printf("%d ", *++p);
    printf("%d ", --*p);
    printf("%d %d\n", numbers[1], numbers[2]);
    _Bool b = 0;
    b++;
    b++;
    printf("%d\n", b);
    return 0;
}
