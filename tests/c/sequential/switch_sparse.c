// A switch with far-apart values.
#include <stdio.h>

static int rank(unsigned x) {
    switch (x) {
    case 0: return 1;
    case 1000: return 2;
    case 0x7fffffff: return 3;
    case 0x80000000: return 4;
    case 0xffffffff: return 5;
    case 123456789: return 6;
    default: return -1;
    }
}

int main(void) {
    unsigned values[] = {0, 1, 999, 1000, 1001, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 123456789};
    for (int i = 0; i < 10; i++)
        printf("%d ", rank(values[i]));
    putchar('\n');
    return 0;
}
