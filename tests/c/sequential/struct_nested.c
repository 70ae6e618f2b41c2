// Structs within structs, by value and by pointer.
#include <stdio.h>

struct point { short x, y; };
struct rectangle { struct point from, to; };
struct picture { char name[8]; struct rectangle shapes[3]; int count; };

static int area(struct rectangle r) { return (r.to.x - r.from.x) * (r.to.y - r.from.y); }
static struct rectangle shift(struct rectangle r, struct point by) {
    r.from.x += by.x, r.from.y += by.y;
    r.to.x += by.x, r.to.y += by.y;
    return r;
}

int main(void) {
    struct picture p = {"first", {{{0, 0}, {3, 4}}, {{-1, -1}, {1, 1}}}, 2};
    p.shapes[p.count++] = shift(p.shapes[0], (struct point){10, 20});
    struct picture copy = p;
    copy.shapes[0].to.x = 30;
    for (int i = 0; i < 3; i++) {
        struct rectangle *r = &copy.shapes[i];
        printf("%s %d,%d %d,%d %d %d\n", p.name, r->from.x, r->from.y, r->to.x, r->to.y, area(*r), area(p.shapes[i]));
    }
    return 0;
}
