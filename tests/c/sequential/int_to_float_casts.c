// Conversion from integers rounds to nearest, ties to even.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int values[] = {0, 1, -1, 16777216, 16777217, 16777218, 16777219, -16777217, INT_MAX, INT_MIN};
    for (int i = 0; i < 10; i++)
        printf("%.9g %.17g %.9g\n", (float)values[i], (double)values[i], (float)(unsigned)values[i]);
    int64_t wide[] = {9007199254740993, 9007199254740995, -9007199254740993, INT64_MAX, INT64_MIN};
    for (int i = 0; i < 5; i++)
        printf("%.17g %.17g %.9g\n", (double)wide[i], (double)(uint64_t)wide[i], (float)wide[i]);
    printf("%.17g %.17g\n", (double)(int8_t)-5, (double)(uint8_t)251);
    return 0;
}
