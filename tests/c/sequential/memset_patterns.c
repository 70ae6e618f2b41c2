// memset with any byte, over any type.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    int32_t numbers[4];
    uint64_t wide;
    double d[2];
    memset(numbers, 0, sizeof numbers);
    memset(numbers + 1, 0x101, 2 * sizeof *numbers);
    memset(&wide, -1, sizeof wide);
    memset(d, 0, sizeof d);
    printf("%d %d %d %d %llx %g\n", numbers[0], numbers[1], numbers[2], numbers[3], (unsigned long long)wide, d[1]);
    char line[20];
    for (int n = 0; n < 5; n++) {
        *((char *)memset(line, '*', (size_t)n) + n) = '\0';
        puts(line);
    }
    return 0;
}
