// Division truncates towards zero; the remainder has the dividend's sign.
#include <stdio.h>

int main(void) {
    for (int a = -9; a <= 9; a += 3)
        for (int b = -4; b <= 4; b++)
            if (b != 0)
                printf("%d/%d=%d rest %d; %d\n", a, b, a / b, a % b, a / b * b + a % b == a);
    return 0;
}
