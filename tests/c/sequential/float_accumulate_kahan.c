// Compensated summation keeps what plain summation loses.
#include <stdio.h>

int main(void) {
    volatile float values[200];
    for (int i = 0; i < 200; i++)
        values[i] = 1.0f / (float)(i + 1);
    float plain = 0, sum = 0, lost = 0;
    double exact = 0;
    for (int i = 0; i < 200; i++) {
        plain += values[i];
        exact += values[i];
        float y = values[i] - lost;
        float t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    printf("%.9g %.9g %.17g\n", plain, sum, exact);
    return 0;
}
