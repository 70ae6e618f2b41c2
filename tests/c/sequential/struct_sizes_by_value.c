// Structs of every size from 1 to 40 bytes as parameters and results.
#include <stdio.h>

#define SIZE(n)                                                        \
    struct s##n { unsigned char b[n]; };                               \
    static struct s##n step##n(struct s##n x, int k) {                 \
        for (int i = 0; i < n; i++)                                    \
            x.b[i] = (unsigned char)(x.b[i] * 3 + i + k);              \
        return x;                                                      \
    }                                                                  \
    static void try##n(void) {                                         \
        struct s##n x = {{n}};                                         \
        struct s##n y = step##n(step##n(x, 1), n);                     \
        unsigned sum = 0;                                              \
        for (int i = 0; i < n; i++)                                    \
            sum = sum * 31 + y.b[i] + x.b[i];                          \
        printf("%d %u\n", n, sum);                                     \
    }
SIZE(1) SIZE(2) SIZE(3) SIZE(4) SIZE(5) SIZE(6) SIZE(7) SIZE(8) SIZE(9) SIZE(10)
SIZE(11) SIZE(12) SIZE(13) SIZE(14) SIZE(15) SIZE(16) SIZE(17) SIZE(18) SIZE(20)
SIZE(23) SIZE(24) SIZE(25) SIZE(31) SIZE(32) SIZE(33) SIZE(40)

int main(void) {
    try1(), try2(), try3(), try4(), try5(), try6(), try7(), try8(), try9(), try10();
    try11(), try12(), try13(), try14(), try15(), try16(), try17(), try18(), try20();
    try23(), try24(), try25(), try31(), try32(), try33(), try40();
    return 0;
}
