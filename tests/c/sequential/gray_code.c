// Gray codes and back.
#include <stdio.h>

int main(void) {
    unsigned previous = 0;
    for (unsigned i = 0; i < 40; i++) {
        unsigned gray = i ^ (i >> 1), back = gray;
        for (unsigned shift = 1; shift < 32; shift *= 2)
            back ^= back >> shift;
        unsigned changed = gray ^ previous;
        printf("%u %u %u %d\n", i, gray, back, (changed & (changed - 1)) == 0);
        previous = gray;
    }
    return 0;
}
