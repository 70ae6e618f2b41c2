// Fibonacci, plain and with a table.
#include <stdio.h>

static unsigned long known[91];
static unsigned plain(unsigned n) { return n < 2 ? n : plain(n - 1) + plain(n - 2); }
static unsigned long remembered(unsigned n) {
    if (n < 2)
        return n;
    if (known[n] == 0)
        known[n] = remembered(n - 1) + remembered(n - 2);
    return known[n];
}

int main(void) {
    printf("%u %lu %lu\n", plain(14), remembered(50), remembered(90));
    return 0;
}
