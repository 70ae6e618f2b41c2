// Ranges of cases, an extension that clang supports.
#include <stdio.h>

static char kind(int c) {
    switch (c) {
    case '0' ... '9': return 'd';
    case 'a' ... 'z': return 'l';
    case 'A' ... 'Z': return 'u';
    case -1000000 ... -1: return 'n';
    default: return '?';
    }
}

int main(void) {
    for (const char *s = "aZ5 {z@A/:"; *s; s++)
        putchar(kind(*s));
    printf("%c%c%c\n", kind(-1), kind(-1000000), kind(-1000001));
    return 0;
}
