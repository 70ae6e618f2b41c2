// A number recogniser whose states are labels.
#include <stdio.h>

static const char *recognise(const char *s) {
start:
    if (*s == '-' || *s == '+') { s++; goto whole; }
whole:
    if (*s < '0' || *s > '9') return "no";
    while (*s >= '0' && *s <= '9') s++;
    if (*s == '.') { s++; goto fraction; }
    if (*s == 'e') { s++; goto exponent; }
    return *s ? "no" : "integer";
fraction:
    while (*s >= '0' && *s <= '9') s++;
    if (*s == 'e') { s++; goto exponent; }
    if (*s == ' ') { s++; goto start; }
    return *s ? "no" : "decimal";
exponent:
    if (*s == '-') s++;
    if (*s < '0' || *s > '9') return "no";
    while (*s >= '0' && *s <= '9') s++;
    return *s ? "no" : "scientific";
}

int main(void) {
    const char *texts[] = {"12", "-3.5", "6e23", "1.e-5", "", "+", "2e", "3x", "1.5 7"};
    for (int i = 0; i < 9; i++)
        printf("'%s': %s\n", texts[i], recognise(texts[i]));
    return 0;
}
