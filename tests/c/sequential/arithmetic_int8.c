// Eight-bit arithmetic is done in int and truncated on assignment.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    const int8_t values[] = {INT8_MIN, -100, -1, 0, 1, 7, 100, INT8_MAX};
    const int count = sizeof values / sizeof *values;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            int8_t a = values[i], b = values[j];
            int8_t sum = (int8_t)(a + b), difference = (int8_t)(a - b), product = (int8_t)(a * b);
            printf("%d %d: %d %d %d %d\n", a, b, sum, difference, product, a + b);
        }
    return 0;
}
