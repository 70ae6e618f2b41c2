// The sieve of Eratosthenes in a bit set.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint32_t composite[16] = {0};
    for (unsigned i = 2; i * i < 512; i++)
        if (!(composite[i / 32] >> i % 32 & 1))
            for (unsigned j = i * i; j < 512; j += i)
                composite[j / 32] |= 1u << j % 32;
    int count = 0;
    for (unsigned i = 2; i < 512; i++)
        if (!(composite[i / 32] & 1u << i % 32)) {
            printf("%u ", i);
            count++;
        }
    printf("%d\n", count);
    return 0;
}
