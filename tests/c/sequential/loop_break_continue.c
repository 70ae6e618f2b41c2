// Every kind of loop with break and continue.
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 100; i++) {
        if (i % 3 == 0)
            continue;
        if (i > 50)
            break;
        sum += i;
    }
    int n = 0;
    while (1) {
        if (++n % 2)
            continue;
        if (n > 20)
            break;
        sum -= n;
    }
    int m = 10;
    do {
        if (m % 4 == 0)
            continue;
        sum += m * 100;
    } while (--m > 0);
    int k = 0;
    for (;;)
        if (k++ == 7)
            break;
    printf("%d %d %d %d\n", sum, n, m, k);
    return 0;
}
