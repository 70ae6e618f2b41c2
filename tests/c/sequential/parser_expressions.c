// A recursive-descent calculator.
#include <stdio.h>

static const char *at;
static double sum(void);

static double factor(void) {
    while (*at == ' ')
        at++;
    if (*at == '-') {
        at++;
        return -factor();
    }
    if (*at == '(') {
        at++;
        double v = sum();
        at++;
        return v;
    }
    double v = 0, place = 1;
    for (; *at >= '0' && *at <= '9'; at++)
        v = v * 10 + (*at - '0');
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++)
            v += (*at - '0') * (place /= 10);
    while (*at == ' ')
        at++;
    return v;
}
static double product(void) {
    double v = factor();
    while (*at == '*' || *at == '/')
        v = *at++ == '*' ? v * factor() : v / factor();
    return v;
}
static double sum(void) {
    double v = product();
    while (*at == '+' || *at == '-')
        v = *at++ == '+' ? v + product() : v - product();
    return v;
}

int main(void) {
    const char *texts[] = {"1 + 2 * 3", "(1+2)*3", "-4 - -5", "10/4/5", "2*(3+(4-1))/6", "1.25*8"};
    for (int i = 0; i < 6; i++) {
        at = texts[i];
        double value = sum();
        printf("%s = %g\n", texts[i], value);
    }
    return 0;
}
