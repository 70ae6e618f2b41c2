// Floating conversions with every flag.
#include <stdio.h>

int main(void) {
    const double values[] = {0.0, 1.0, -1.5, 3.14159265358979, 1e10, 1e-5, 123456789.125, 0.1, 1e100, 2.5, 3.5, 0.5, 99999.95};
    for (int i = 0; i < 13; i++) {
        double v = values[i];
        printf("[%f] [%.0f] [%.1f] [%10.3f] [%-10.2f] [%010.1f] [%+f] [% .2f]\n", v, v, v, v, v, v, v, v);
        printf("[%e] [%.0e] [%.3E] [%12.2e] [%g] [%.3g] [%G] [%#g] [%.10g] [%.17g] [%.0g]\n", v, v, v, v, v, v, v, v, v, v, v);
    }
    return 0;
}
