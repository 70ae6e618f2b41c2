// A field of width zero starts a new unit.
#include <stdio.h>
#include <string.h>

struct together { unsigned a : 4, b : 4; };
struct apart { unsigned a : 4; unsigned : 0; unsigned b : 4; };
struct gap { unsigned a : 4; unsigned : 7; unsigned b : 4; };

int main(void) {
    struct gap g;
    memset(&g, 0, sizeof g);
    g.a = 9;
    g.b = 6;
    unsigned bits;
    memcpy(&bits, &g, sizeof bits);
    printf("%zu %zu %zu %x\n", sizeof(struct together), sizeof(struct apart), sizeof(struct gap), bits);
    struct apart p = {1, 2};
    printf("%u %u\n", p.a, p.b);
    return 0;
}
