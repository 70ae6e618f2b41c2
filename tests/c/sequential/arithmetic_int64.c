// Sixty-four bit arithmetic through unsigned, and guarded division.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    const int64_t values[] = {INT64_MIN, -1234567890123, -3, -1, 0, 1, 4294967296, INT64_MAX};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int64_t a = values[i], b = values[j];
            uint64_t u = (uint64_t)a, v = (uint64_t)b;
            printf("%" PRId64 " %" PRId64 " %" PRId64, (int64_t)(u + v), (int64_t)(u - v), (int64_t)(u * v));
            if (b != 0 && !(a == INT64_MIN && b == -1))
                printf(" %" PRId64 " %" PRId64, a / b, a % b);
            if (v != 0)
                printf(" %" PRIu64 " %" PRIu64, u / v, u % v);
            putchar('\n');
        }
    return 0;
}
