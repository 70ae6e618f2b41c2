// Enumerations count on from the last value given.
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, CYAN = -3, MAGENTA, YELLOW = GREEN * 2 };
enum flags { NONE = 0, FIRST = 1 << 0, SECOND = 1 << 1, LAST = 1 << 30 };

static const char *name(enum colour c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    case CYAN: return "cyan";
    case MAGENTA: return "magenta";
    case YELLOW: return "yellow";
    }
    return "?";
}

int main(void) {
    enum colour all[] = {RED, GREEN, BLUE, CYAN, MAGENTA, YELLOW};
    for (int i = 0; i < 6; i++)
        printf("%d %s\n", all[i], name(all[i]));
    int set = FIRST | LAST;
    printf("%d %d %d\n", set, set & SECOND, (set & ~FIRST) == LAST);
    return 0;
}
