// Deep recursion.
#include <stdio.h>

static unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    for (unsigned m = 0; m < 3; m++)
        for (unsigned n = 0; n < 5; n++)
            printf("%u ", ackermann(m, n));
    printf("%u\n", ackermann(3, 2));
    return 0;
}
