// Functions that return functions.
#include <stdio.h>

typedef int (*step)(int);
static int up(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static step choose(int odd) { return odd ? up : twice; }
static int (*plain(void))(int) { return twice; }
static int apply(step f, int times, int x) { return times == 0 ? x : apply(f, times - 1, f(x)); }

int main(void) {
    int x = 3;
    for (int i = 0; i < 10; i++) {
        x = choose(x & 1)(x);
        printf("%d ", x);
    }
    printf("%d %d %d\n", plain()(21), apply(up, 5, 10), apply(twice, 5, 1));
    step none = 0;
    printf("%d %d\n", none == NULL, choose(1) == up);
    return 0;
}
