// div and ldiv return structs by value.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int a = -17; a <= 17; a += 17) {
        div_t d = div(a, 5);
        ldiv_t l = ldiv(a * 10000000000L, -7);
        printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
    }
    return 0;
}
