// Fifty factorial in base 10000.
#include <stdio.h>

#define LIMBS 32

int main(void) {
    unsigned limbs[LIMBS] = {1};
    for (unsigned n = 2; n <= 50; n++) {
        unsigned carry = 0;
        for (int i = 0; i < LIMBS; i++) {
            unsigned x = limbs[i] * n + carry;
            limbs[i] = x % 10000;
            carry = x / 10000;
        }
    }
    int top = LIMBS - 1;
    while (limbs[top] == 0)
        top--;
    printf("%u", limbs[top]);
    while (--top >= 0)
        printf("%04u", limbs[top]);
    putchar('\n');
    return 0;
}
