// Plain, signed and unsigned char with the same bits.
#include <stdio.h>

int main(void) {
    for (int i = 0; i < 256; i += 15) {
        char plain = (char)i;
        signed char s = (signed char)i;
        unsigned char u = (unsigned char)i;
        printf("%d %d %d %d\n", plain, s, u, s == u);
    }
    printf("%d %d %d\n", 'a', '\n', '\0');
    printf("%d %d\n", '\x7f', '\101');
    return 0;
}
