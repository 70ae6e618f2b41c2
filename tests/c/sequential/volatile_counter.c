// Every access to volatile objects takes place.
#include <stdio.h>

static volatile int total;

int main(void) {
    volatile unsigned char small = 250;
    for (int i = 0; i < 10; i++) {
        small++;
        total += small;
    }
    volatile int *p = &total;
    *p = *p + *p;
    const volatile double half = 0.5;
    volatile struct { int a, b; } s = {1, 2};
    s.a = s.b + s.a;
    printf("%d %d %g %d\n", total, small, half + half, s.a);
    return 0;
}
