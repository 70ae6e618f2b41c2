// Blocks with a value, and typeof.
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })

int main(void) {
    int i = 3;
    printf("%d ", MAX(i++, 2));
    printf("%d %g\n", i, MAX(1.5, 2));
    int sum = ({
        int s = 0;
        for (int k = 0; k < 5; k++)
            s += k;
        s;
    });
    printf("%d\n", sum);
    return 0;
}
