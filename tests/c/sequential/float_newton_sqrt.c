// Newton's iteration, printed exactly.
#include <stdio.h>

int main(void) {
    for (double x = 2; x < 1000; x = x * 3 + 0.7) {
        double y = x;
        for (int i = 0; i < 6; i++) {
            y = 0.5 * (y + x / y);
            printf("%.17g ", y);
        }
        putchar('\n');
    }
    return 0;
}
