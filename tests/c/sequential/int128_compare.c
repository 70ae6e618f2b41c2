// Comparisons of 128-bit numbers look at both halves, with the right sign.
#include <stdio.h>

int main(void) {
    __int128 one = 1;
    __int128 values[] = {-(one << 100), -(one << 64), -1, 0, 1, (one << 63), (one << 64), (one << 64) + 1, one << 126};
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            int order = (values[i] < values[j]) + 2 * (values[i] <= values[j]) + 4 * (values[i] == values[j]);
            int unsigned_less = (unsigned __int128)values[i] < (unsigned __int128)values[j];
            printf("%d%d ", order, unsigned_less);
        }
        putchar('\n');
    }
    return 0;
}
