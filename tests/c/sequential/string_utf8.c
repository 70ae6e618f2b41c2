// Decoding UTF-8 by hand.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t decode(const unsigned char **s) {
    uint32_t c = *(*s)++;
    int more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    if (more)
        c &= 0x3fu >> more;
    while (more-- > 0)
        c = c << 6 | (*(*s)++ & 0x3f);
    return c;
}

int main(void) {
    const unsigned char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";
    for (const unsigned char *s = text; *s;)
        printf("U+%04X ", decode(&s));
    printf("%zu\n", sizeof text - 1);
    const wchar_t wide[] = L"w\u00e9";
    for (int i = 0; wide[i]; i++)
        printf("%x ", (unsigned)wide[i]);
    puts(u8"\u00e9\u20ac");
    return 0;
}
