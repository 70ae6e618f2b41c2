// Negative and character cases, with a narrow condition.
#include <stdio.h>

static int f(signed char c) {
    switch (c) {
    case -128: return 1;
    case -1: return 2;
    case 'a': return 3;
    case 127: return 4;
    }
    return 0;
}

int main(void) {
    for (int i = -128; i < 128; i++)
        if (f((signed char)i))
            printf("%d %d\n", i, f((signed char)i));
    return 0;
}
