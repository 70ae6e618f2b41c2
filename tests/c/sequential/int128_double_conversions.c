// 128-bit numbers to doubles and back.
#include <stdio.h>

int main(void) {
    __int128 x = 1;
    for (int i = 0; i < 40; i++) {
        double d = (double)x;
        double m = (double)-x;
        double u = (double)((unsigned __int128)x * 2);
        float f = (float)x;
        __int128 back = (__int128)d;
        printf("%.17g %.17g %.17g %.9g %016llx%016llx\n", d, m, u, f, (unsigned long long)(back >> 64), (unsigned long long)back);
        x = x * 8 + i;
    }
    return 0;
}
