// Globals of all shapes, with addresses and constant expressions.
#include <stdio.h>

int zero;
int numbers[5] = {1, 2, 3};
int *third = &numbers[2];
const char *text = "global text" + 7;
char array[] = "array";
double reals[2] = {1.0 / 3, -0.0};
struct { int a; struct { char b; int *c; } d; } nested = {7, {'n', numbers + 1}};
int (*function)(const char *) = puts;
unsigned long bits = ~0ul >> 60 | 1ul << 40;
const char *const names[] = {"a", "bc", 0};
_Bool yes = 5 > 3;
static int *self_pointer = (int *)&self_pointer + 0;

int main(void) {
    printf("%d %d %d %s %s %zu\n", zero, *third, numbers[4], text, array, sizeof array);
    printf("%.17g %g %d %c %d %lx\n", reals[0], reals[1], nested.a, nested.d.b, *nested.d.c, bits);
    function("called");
    printf("%s%s %d %d %d\n", names[0], names[1], names[2] == 0, yes, self_pointer == (int *)&self_pointer);
    return 0;
}
