// A struct copies the array inside it.
#include <stdio.h>

struct board { char cells[3][3]; };

static struct board play(struct board b, int row, int column, char who) {
    b.cells[row][column] = who;
    return b;
}

static void show(struct board b) {
    for (int i = 0; i < 3; i++)
        printf("%.3s\n", b.cells[i]);
}

int main(void) {
    struct board empty = {{{'.', '.', '.'}, {'.', '.', '.'}, {'.', '.', '.'}}};
    struct board game = play(play(play(empty, 1, 1, 'x'), 0, 2, 'o'), 2, 0, 'x');
    show(empty);
    show(game);
    return 0;
}
