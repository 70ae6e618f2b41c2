// Structs that fit in registers are passed and returned by value.
#include <stdio.h>

struct byte { char c; };
struct point { int x, y; };
struct pair { long a, b; };
struct three { char c[3]; };

static struct byte next(struct byte b) { b.c++; return b; }
static struct point mirror(struct point p) { struct point q = {p.y, p.x}; p.x = 99; return q; }
static struct pair sum(struct pair p, struct pair q) { return (struct pair){p.a + q.a, p.b * q.b}; }
static struct three rotate(struct three t) { return (struct three){{t.c[1], t.c[2], t.c[0]}}; }

int main(void) {
    struct byte b = next(next((struct byte){'a'}));
    struct point p = {3, -4}, m = mirror(p);
    struct pair s = sum((struct pair){1L << 40, 3}, (struct pair){-1, -7});
    struct three t = rotate((struct three){{'x', 'y', 'z'}});
    printf("%c %d %d %d %d %ld %ld %c%c%c\n", b.c, p.x, p.y, m.x, m.y, s.a, s.b, t.c[0], t.c[1], t.c[2]);
    return 0;
}
