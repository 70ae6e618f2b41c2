// Between single and double precision.
#include <stdio.h>

int main(void) {
    double values[] = {0.1, 1.0 / 3, 16777217.0, 1e-40, 1e-46, 3.4e38, -2.5e-7, 123456.789};
    for (int i = 0; i < 8; i++) {
        float f = (float)values[i];
        double back = f;
        printf("%.9g %.17g %d\n", f, back, back == values[i]);
    }
    printf("%d %d\n", 0.1f == 0.1, 0.5f == 0.5);
    float huge = (float)1e39;
    printf("%g\n", huge);
    return 0;
}
