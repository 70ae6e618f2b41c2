// atoi, atol, abs and labs.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *texts[] = {"0", "12", "-34", "  56", "+78", "9x9", "x", "", "2147483647", "-2147483648", "\t\n 5"};
    for (int i = 0; i < 11; i++)
        printf("%d %ld\n", atoi(texts[i]), atol(texts[i]));
    for (int i = -2; i <= 2; i++)
        printf("%d %ld %lld\n", abs(i * 1000), labs(i * 10000000000L), llabs(-i * 5LL));
    return 0;
}
