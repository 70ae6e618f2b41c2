// && and || stop as soon as the answer is known.
#include <stdio.h>

static int say(const char *name, int value) {
    printf("%s ", name);
    return value;
}

int main(void) {
    for (int bits = 0; bits < 8; bits++) {
        int a = bits & 1, b = bits & 2, c = bits & 4;
        int r = (say("a", a) && say("b", b)) || say("c", c);
        int s = say("a", a) && (say("b", b) || say("c", c));
        int t = !say("a", a) || (say("b", b) && !say("c", c));
        printf("= %d %d %d\n", r, s, t);
    }
    return 0;
}
