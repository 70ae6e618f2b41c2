// Run-length coding and decoding.
#include <stdio.h>

static void encode(const char *from, char *to) {
    while (*from) {
        int n = 1;
        while (from[n] == *from && n < 9)
            n++;
        *to++ = (char)('0' + n);
        *to++ = *from;
        from += n;
    }
    *to = '\0';
}
static void decode(const char *from, char *to) {
    for (; *from; from += 2)
        for (int n = *from - '0'; n > 0; n--)
            *to++ = from[1];
    *to = '\0';
}

int main(void) {
    const char *texts[] = {"", "abc", "aaabccccd", "zzzzzzzzzzzzzzzzzzzz"};
    char coded[64], plain[64];
    for (int i = 0; i < 4; i++) {
        encode(texts[i], coded);
        decode(coded, plain);
        printf("%s %s\n", coded, plain);
    }
    return 0;
}
