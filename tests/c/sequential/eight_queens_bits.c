// Queens counted with bit masks.
#include <stdio.h>

static int count(unsigned all, unsigned columns, unsigned left, unsigned right) {
    if (columns == all)
        return 1;
    int n = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        n += count(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return n;
}

int main(void) {
    for (int n = 1; n <= 6; n++)
        printf("%d ", count((1u << n) - 1, 0, 0, 0));
    putchar('\n');
    return 0;
}
