// A switch that jumps into a loop.
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
    int rounds = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
}

int main(void) {
    char buffer[32];
    for (int n = 1; n < 27; n += 3) {
        copy(buffer, "abcdefghijklmnopqrstuvwxyz", n);
        buffer[n] = '\0';
        puts(buffer);
    }
    return 0;
}
