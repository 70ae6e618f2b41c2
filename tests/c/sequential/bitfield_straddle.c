// Fields that do not fit move to the next unit, and do not touch neighbours.
#include <stdio.h>
#include <string.h>

struct fields { unsigned a : 20; unsigned b : 20; unsigned char c; unsigned short d : 9; unsigned long e : 50; };

int main(void) {
    struct fields f;
    memset(&f, 0, sizeof f);
    f.a = 0xabcde;
    f.b = 0x12345;
    f.c = 0xff;
    f.d = 0x155;
    f.e = 0x2aaaaaaaaaaaa;
    printf("%x %x %x %x %lx %zu\n", f.a, f.b, f.c, f.d, (unsigned long)f.e, sizeof f);
    f.b = 0;
    f.d = ~f.d;
    f.e -= 1;
    printf("%x %x %x %x %lx\n", f.a, f.b, f.c, f.d, (unsigned long)f.e);
    return 0;
}
