// Mixed comparisons convert the signed side to unsigned.
#include <stdio.h>

int main(void) {
    int minus = -1;
    unsigned one = 1;
    long wide_minus = -1;
    unsigned long wide_one = 1;
    printf("%d %d\n", minus < (int)one, (unsigned)minus < one);
    printf("%d %d\n", wide_minus < one, (unsigned long)wide_minus < wide_one);
    printf("%u %ld\n", minus + one, wide_minus + one);
    printf("%u\n", (unsigned)minus / 2 + one);
    printf("%ld\n", wide_minus * (long)one * 5);
    short s = -5;
    unsigned char c = 250;
    printf("%d %d %d\n", s + c, s < c, s * c);
    printf("%lu\n", (unsigned long)s);
    printf("%u\n", (unsigned short)s);
    return 0;
}
