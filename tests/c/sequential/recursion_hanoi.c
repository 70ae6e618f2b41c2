// The towers of Hanoi, with the moves.
#include <stdio.h>

static int moves;
static void hanoi(int n, char from, char to, char spare) {
    if (n == 0)
        return;
    hanoi(n - 1, from, spare, to);
    printf("%d%c%c ", n, from, to);
    moves++;
    hanoi(n - 1, spare, to, from);
}

int main(void) {
    hanoi(5, 'A', 'C', 'B');
    printf("%d\n", moves);
    return 0;
}
