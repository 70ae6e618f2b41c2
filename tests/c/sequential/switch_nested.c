// Switches within switches and loops; break and continue go to the right place.
#include <stdio.h>

int main(void) {
    int total = 0;
    for (int i = 0; i < 12; i++) {
        switch (i % 4) {
        case 0:
            switch (i / 4) {
            case 0: total += 1; break;
            case 1: total += 2; continue;
            default: total += 3;
            }
            total += 10;
            break;
        case 1: continue;
        case 2: total += 100;
        }
        printf("%d %d\n", i, total);
    }
    return 0;
}
