// Compound assignments that mix integers and floats.
#include <stdio.h>

int main(void) {
    float f = 10;
    f += 0.1;
    printf("%.9g ", f);
    f *= 3;
    printf("%.9g ", f);
    f -= 1u;
    printf("%.9g ", f);
    f /= 7L;
    printf("%.9g\n", f);
    int i = 7;
    i += 0.9;
    printf("%d ", i);
    i -= 0.9f;
    printf("%d ", i);
    i /= 0.3;
    printf("%d\n", i);
    unsigned char c = 200;
    c *= 0.5;
    printf("%d ", c);
    c += 100.7;
    printf("%d\n", c);
    long l = 1000000007;
    l *= 1.5;
    printf("%ld\n", l);
    return 0;
}
