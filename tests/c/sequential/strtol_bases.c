// strtol and strtoul in many bases, and where they stop.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *texts[] = {"42", "  -17rest", "0x1F", "0755", "z9", "+8", "", "none", "101102", "0xg", "- 5"};
    const int bases[] = {10, 0, 2, 8, 16, 36};
    for (int i = 0; i < 11; i++) {
        for (int j = 0; j < 6; j++) {
            char *end;
            long n = strtol(texts[i], &end, bases[j]);
            printf("%ld@%d ", n, (int)(end - texts[i]));
        }
        printf("%lu\n", strtoul(texts[i], NULL, 10));
    }
    return 0;
}
