// Cases that fall through, and a default in the middle.
#include <stdio.h>

int main(void) {
    for (int i = -1; i < 8; i++) {
        int x = 0;
        switch (i) {
        case 0: x += 1; /* falls through */
        case 1: x += 10; /* falls through */
        default: x += 100; break;
        case 3: x += 1000; /* falls through */
        case 5: x += 10000;
        }
        printf("%d %d\n", i, x);
    }
    return 0;
}
