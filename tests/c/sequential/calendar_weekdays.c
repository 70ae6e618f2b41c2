// Days of the week and leap years.
#include <stdio.h>

static int weekday(int y, int m, int d) {
    static const int offsets[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    y -= m < 3;
    return (y + y / 4 - y / 100 + y / 400 + offsets[m - 1] + d) % 7;
}

int main(void) {
    static const char names[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    for (int y = 1896; y <= 2024; y += 16)
        printf("%d %s %s %d\n", y, names[weekday(y, 1, 1)], names[weekday(y, 12, 31)], y % 4 == 0 && (y % 100 != 0 || y % 400 == 0));
    return 0;
}
