// One-bit flags of type _Bool.
#include <stdbool.h>
#include <stdio.h>

struct flags { bool ready : 1, done : 1; unsigned level : 3; bool last : 1; };

static struct flags toggle(struct flags f) {
    f.ready = !f.ready;
    f.done = f.level;
    f.last ^= 1;
    f.level += 3;
    return f;
}

int main(void) {
    struct flags f = {.level = 5};
    for (int i = 0; i < 6; i++) {
        f = toggle(f);
        printf("%d %d %d %d\n", f.ready, f.done, f.level, f.last);
    }
    f.ready = 4;
    printf("%d %zu\n", f.ready, sizeof f);
    return 0;
}
