// Calls through pointers with structs and floats as arguments.
#include <stdio.h>

struct vector { double x, y, z; };
typedef struct vector (*operation)(struct vector, float, struct vector);

static struct vector add(struct vector a, float s, struct vector b) {
    return (struct vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static struct vector cross(struct vector a, float s, struct vector b) {
    return (struct vector){s * (a.y * b.z - a.z * b.y), s * (a.z * b.x - a.x * b.z), s * (a.x * b.y - a.y * b.x)};
}

int main(void) {
    operation operations[2] = {add, cross};
    struct vector v = {1, 2, 3}, w = {-1, 0.5, 4};
    for (int i = 0; i < 4; i++) {
        v = operations[i % 2](v, 0.5f, w);
        printf("%g %g %g\n", v.x, v.y, v.z);
    }
    return 0;
}
