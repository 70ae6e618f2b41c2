// Inline and static functions, and attributes.
#include <stdio.h>

static inline int square(int x) { return x * x; }
static inline __attribute__((always_inline)) int cube(int x) { return x * square(x); }
static __attribute__((noinline)) int apart(int x) { return x - 1; }
extern inline int shared(int x);
inline int shared(int x) { return x + 100; }
static _Noreturn void never(void) {
    for (;;) {
    }
}

int main(void) {
    for (int i = -3; i <= 3; i++) {
        if (i > 10)
            never();
        printf("%d %d %d %d\n", square(i), cube(i), apart(i), shared(i));
    }
    return 0;
}
