// Base 64 there and back.
#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const unsigned char *from, size_t n, char *to) {
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)from[i] << 16 | (i + 1 < n ? from[i + 1] << 8 : 0) | (i + 2 < n ? from[i + 2] : 0);
        *to++ = alphabet[v >> 18];
        *to++ = alphabet[v >> 12 & 63];
        *to++ = i + 1 < n ? alphabet[v >> 6 & 63] : '=';
        *to++ = i + 2 < n ? alphabet[v & 63] : '=';
    }
    *to = '\0';
}
static size_t decode(const char *from, unsigned char *to) {
    size_t n = 0;
    for (; *from; from += 4) {
        unsigned v = 0;
        for (int i = 0; i < 4; i++)
            v = v << 6 | (from[i] == '=' ? 0 : (unsigned)(strchr(alphabet, from[i]) - alphabet));
        to[n++] = (unsigned char)(v >> 16);
        if (from[2] != '=')
            to[n++] = (unsigned char)(v >> 8);
        if (from[3] != '=')
            to[n++] = (unsigned char)v;
    }
    return n;
}

int main(void) {
    const char *texts[] = {"", "f", "fo", "foo", "foobar", "\xff\xfe\xfd!"};
    for (int i = 0; i < 6; i++) {
        char coded[32];
        unsigned char plain[32];
        encode((const unsigned char *)texts[i], strlen(texts[i]), coded);
        size_t n = decode(coded, plain);
        printf("%s %d\n", coded, n == strlen(texts[i]) && memcmp(plain, texts[i], n) == 0);
    }
    return 0;
}
