// Objects with a table of methods.
#include <stdio.h>

struct shape;
struct methods {
    const char *name;
    double (*area)(const struct shape *);
    void (*scale)(struct shape *, double);
};
struct shape { const struct methods *methods; double a, b; };

static double rectangle_area(const struct shape *s) { return s->a * s->b; }
static double triangle_area(const struct shape *s) { return s->a * s->b / 2; }
static void scale_both(struct shape *s, double f) { s->a *= f, s->b *= f; }
static void scale_first(struct shape *s, double f) { s->a *= f; }

static const struct methods rectangle = {"rectangle", rectangle_area, scale_both};
static const struct methods triangle = {"triangle", triangle_area, scale_first};

int main(void) {
    struct shape shapes[] = {{&rectangle, 2, 3}, {&triangle, 4, 5}, {&rectangle, 0.5, 8}};
    for (int i = 0; i < 3; i++) {
        struct shape *s = &shapes[i];
        double before = s->methods->area(s);
        s->methods->scale(s, 1.5);
        printf("%s %g %g\n", s->methods->name, before, s->methods->area(s));
    }
    return 0;
}
