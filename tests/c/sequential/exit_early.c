// exit from deep inside; what was printed before appears.
#include <stdio.h>
#include <stdlib.h>

static void dig(int depth) {
    printf("%d ", depth);
    if (depth == 5) {
        putchar('\n');
        exit(0);
    }
    dig(depth + 1);
    printf("never");
}

int main(void) {
    dig(0);
    return 1;
}
