// Numbers in bases 2 to 36 and back.
#include <stdio.h>

static char *to_base(unsigned long n, unsigned base, char *end) {
    *end = '\0';
    do
        *--end = "0123456789abcdefghijklmnopqrstuvwxyz"[n % base];
    while ((n /= base) != 0);
    return end;
}

static unsigned long from_base(const char *s, unsigned base) {
    unsigned long n = 0;
    for (; *s; s++)
        n = n * base + (unsigned long)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
    return n;
}

int main(void) {
    char buffer[70];
    for (unsigned base = 2; base <= 36; base++) {
        char *s = to_base(1234567890123456789u, base, buffer + 69);
        printf("%u %s %lu\n", base, s, from_base(s, base));
    }
    return 0;
}
