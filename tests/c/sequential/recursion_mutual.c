// Functions that call each other.
#include <stdio.h>

static int female(int n);
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
    for (int n = 0; n < 12; n++)
        printf("%d %d %d\n", male(n), female(n), even((unsigned)n * 7));
    return 0;
}
