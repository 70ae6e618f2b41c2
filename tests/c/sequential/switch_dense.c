// A switch that becomes a table.
#include <stdio.h>

static int days(int month, int leap) {
    switch (month) {
    case 1: case 3: case 5: case 7: case 8: case 10: case 12: return 31;
    case 4: case 6: case 9: case 11: return 30;
    case 2: return 28 + leap;
    default: return 0;
    }
}

static const char *word(unsigned n) {
    switch (n) {
    case 0: return "zero";
    case 1: return "one";
    case 2: return "two";
    case 3: return "three";
    case 4: return "four";
    case 5: return "five";
    }
    return "many";
}

int main(void) {
    int sum = 0;
    for (int m = 0; m <= 13; m++)
        sum += days(m, m & 1);
    for (unsigned i = 0; i < 8; i++)
        printf("%s ", word(i));
    printf("%d %d\n", sum, days(2, 1));
    return 0;
}
