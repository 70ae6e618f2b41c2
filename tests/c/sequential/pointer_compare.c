// Order and equality of pointers into one object.
#include <stdio.h>

int main(void) {
    int a[6] = {0};
    int *low = a, *high = a + 6;
    int steps = 0;
    while (low < high) {
        low++;
        if (low < high)
            high--;
        steps++;
    }
    printf("%d %td %d %d\n", steps, low - a, low == high, low >= a && low <= a + 6);
    struct { int x, y; } s = {1, 2};
    printf("%d %d\n", (void *)&s == (void *)&s.x, &s.x < &s.y);
    int *null = 0;
    printf("%d %d %d\n", null == 0, !null, &a[0] != null);
    return 0;
}
