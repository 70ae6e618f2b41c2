// FNV-1a, djb2, Adler-32 and Jenkins on the same words.
#include <stdint.h>
#include <stdio.h>

static uint64_t fnv(const unsigned char *s) {
    uint64_t h = 14695981039346656037u;
    while (*s)
        h = (h ^ *s++) * 1099511628211u;
    return h;
}

static uint32_t djb(const unsigned char *s) {
    uint32_t h = 5381;
    while (*s)
        h = h * 33 + *s++;
    return h;
}

static uint32_t adler(const unsigned char *s) {
    uint32_t a = 1, b = 0;
    while (*s) {
        a = (a + *s++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint32_t jenkins(const unsigned char *s) {
    uint32_t h = 0;
    while (*s) {
        h += *s++;
        h += h << 10;
        h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    return h + (h << 15);
}

int main(void) {
    const char *words[] = {"", "a", "fence", "post", "hello, world", "\xff\x80\x01"};
    for (int i = 0; i < 6; i++) {
        const unsigned char *s = (const unsigned char *)words[i];
        printf("%016llx %08x %08x %08x\n", (unsigned long long)fnv(s), djb(s), adler(s), jenkins(s));
    }
    return 0;
}
