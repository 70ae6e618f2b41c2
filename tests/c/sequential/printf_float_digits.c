// Many digits, exactly.
#include <stdio.h>

int main(void) {
    printf("%.30f\n", 0.1);
    printf("%.60f\n", 1.0 / 3);
    printf("%.25e\n", 1e22);
    printf("%f\n", 1.7976931348623157e308);
    printf("%.20g %.40g\n", 0.3, 5e-324);
    printf("%.15f %.16f\n", 0.1 + 0.2, 0.1 + 0.2);
    return 0;
}
