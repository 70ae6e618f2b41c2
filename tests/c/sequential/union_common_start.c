// A union of structs with a common start.
#include <stdio.h>

struct base { int kind; };
struct circle { int kind; double radius; };
struct square { int kind; int side; };
union figure { struct base base; struct circle circle; struct square square; };

static union figure make(int kind, double size) {
    union figure f;
    if (kind == 0)
        f.circle = (struct circle){0, size};
    else
        f.square = (struct square){1, (int)size};
    return f;
}

static double measure(union figure f) {
    return f.base.kind == 0 ? f.circle.radius * 2 : f.square.side * 4;
}

int main(void) {
    for (int i = 0; i < 6; i++)
        printf("%g\n", measure(make(i % 2, i * 1.25)));
    return 0;
}
