// Members initialised by name, in any order; the rest are zero.
#include <stdio.h>

struct options { int depth; const char *name; double rate; struct { int x, y; } at; int last[3]; };

static const struct options defaults = {.name = "default", .rate = 0.5, .at.y = 9};

int main(void) {
    struct options o = {.last = {1, [2] = 3}, .depth = 4, .at = {.y = 2}};
    struct options p = {7, .at.x = 1, .at.y = 3, {4, 5, 6}};
    struct options q = {.depth = 1, .depth = 2};
    const struct options *all[] = {&defaults, &o, &p, &q};
    for (int i = 0; i < 4; i++)
        printf("%d %s %g %d %d %d %d %d\n", all[i]->depth, all[i]->name ? all[i]->name : "-", all[i]->rate, all[i]->at.x,
               all[i]->at.y, all[i]->last[0], all[i]->last[1], all[i]->last[2]);
    return 0;
}
