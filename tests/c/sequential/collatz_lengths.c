// Lengths and peaks of Collatz sequences.
#include <stdio.h>

int main(void) {
    for (unsigned start = 1; start < 60; start++) {
        unsigned long x = start, peak = start;
        int steps = 0;
        while (x != 1) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            if (x > peak)
                peak = x;
            steps++;
        }
        printf("%u: %d steps, peak %lu\n", start, steps, peak);
    }
    return 0;
}
