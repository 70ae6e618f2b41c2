// Unnamed objects, fresh each time around.
#include <stdio.h>

struct point { int x, y; };

static int sum(const int *p, int n) {
    int s = 0;
    while (n-- > 0)
        s += *p++;
    return s;
}

static int cross(struct point a, const struct point *b) { return a.x * b->y - a.y * b->x; }

static const int *const table = (const int[]){2, 3, 5, 7, 11};

int main(void) {
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    printf("%d\n", sum(table, 5));
    for (int i = 0; i < 3; i++) {
        struct point *p = &(struct point){i, i * i};
        p->x += 10;
        printf("%d %d %d\n", p->x, p->y, cross((struct point){.y = 2}, p));
    }
    int *one = &(int){41};
    ++*one;
    printf("%d %s\n", *one, (char[]){'o', 'k', 0});
    return 0;
}
