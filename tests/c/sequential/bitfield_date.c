// A date packed in sixteen bits, passed by value.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct date { uint16_t day : 5, month : 4, year : 7; };

static struct date next(struct date d) {
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (++d.day > days[d.month - 1]) {
        d.day = 1;
        if (++d.month > 12) {
            d.month = 1;
            d.year++;
        }
    }
    return d;
}

int main(void) {
    struct date d = {25, 12, 99};
    for (int i = 0; i < 12; i++) {
        uint16_t raw;
        memcpy(&raw, &d, sizeof raw);
        printf("%d-%02d-%02d %04x\n", 1980 + d.year, d.month, d.day, raw);
        d = next(d);
    }
    return 0;
}
