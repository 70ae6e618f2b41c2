// Double precision, with all the digits.
#include <stdio.h>

int main(void) {
    double a = 0.1, b = 0.2;
    printf("%.17g %.17g %.17g %.17g\n", a + b, a - b, a * b, a / b);
    printf("%d\n", a + b == 0.3);
    double sum = 0;
    for (int i = 1; i <= 100; i++)
        sum += 1.0 / i;
    printf("%.17g\n", sum);
    double backwards = 0;
    for (int i = 100; i >= 1; i--)
        backwards += 1.0 / i;
    printf("%.17g %d\n", backwards, sum == backwards);
    double big = 9007199254740992.0;
    printf("%.17g %.17g\n", big + 1, big + 2);
    printf("%.17g\n", 1e308 / 1e-10 > 1e308 ? 1.0 : 0.0);
    return 0;
}
