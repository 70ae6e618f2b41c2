// Modular exponentiation and a Fermat test.
#include <stdint.h>
#include <stdio.h>

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus) {
    uint64_t result = 1;
    for (base %= modulus; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

int main(void) {
    printf("%llu\n", (unsigned long long)power(3, 1000000006, 1000000007));
    printf("%llu\n", (unsigned long long)power(123456789, 987654321, 4294967291u));
    for (unsigned n = 3; n < 100; n += 2)
        if (power(2, n - 1, n) == 1)
            printf("%u ", n);
    putchar('\n');
    return 0;
}
