// Labels as values.
#include <stdio.h>

int main(void) {
    static const void *const targets[] = {&&one, &&two, &&three, &&end};
    const char order[] = {2, 0, 1, 1, 2, 3};
    int at = 0, x = 1;
    goto *targets[(int)order[at++]];
one:
    x += 1;
    goto *targets[(int)order[at++]];
two:
    x *= 10;
    goto *targets[(int)order[at++]];
three:
    x -= 3;
    goto *targets[(int)order[at++]];
end:
    printf("%d %d\n", x, at);
    void *place = x > 0 ? &&positive : &&negative;
    goto *place;
positive:
    puts("positive");
    return 0;
negative:
    puts("negative");
    return 0;
}
