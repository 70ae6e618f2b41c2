// Counting down with unsigned numbers, and loops that run zero times.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    for (unsigned i = 5; i-- > 0;)
        printf("%u ", i);
    for (uint8_t i = 250; i >= 250; i++)
        printf("%u ", i);
    for (int i = 0; i < 0; i++)
        printf("never ");
    int n = 0;
    for (uint16_t i = 1; i != 0; i = (uint16_t)(i << 1))
        n++;
    for (float f = 0; f < 1; f += 0.125f)
        n++;
    printf("%d\n", n);
    return 0;
}
