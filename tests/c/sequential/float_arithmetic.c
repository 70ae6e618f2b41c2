// Single precision rounds after every operation.
#include <stdio.h>

int main(void) {
    float a = 0.1f, b = 0.3f, sum = 0;
    printf("%.9g %.9g %.9g %.9g\n", a + b, a - b, a * b, a / b);
    for (int i = 0; i < 100; i++)
        sum += a;
    printf("%.9g\n", sum);
    float big = 16777216.0f;
    printf("%.9g %.9g\n", big + 1.0f, big + 2.0f);
    float x = 1.0f;
    int n = 0;
    while (1.0f + x != 1.0f) {
        x /= 2;
        n++;
    }
    printf("%d %.9g\n", n, x);
    printf("%.9g %.9g\n", -a, +b);
    return 0;
}
