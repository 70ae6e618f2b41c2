// Numbers at and beyond the limits.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *texts[] = {"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
                           "18446744073709551615", "18446744073709551616", "-1"};
    for (int i = 0; i < 7; i++) {
        errno = 0;
        long s = strtol(texts[i], NULL, 10);
        int first = errno == ERANGE;
        errno = 0;
        unsigned long u = strtoul(texts[i], NULL, 10);
        printf("%ld %d %lu %d\n", s, first, u, errno == ERANGE);
    }
    return 0;
}
