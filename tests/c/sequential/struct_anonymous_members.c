// Members of anonymous structs and unions are reached directly.
#include <stdint.h>
#include <stdio.h>

struct value {
    int kind;
    union {
        struct { int16_t low, high; };
        int32_t whole;
        float real;
    };
};

int main(void) {
    struct value v = {.kind = 1, .whole = 0x00020001};
    printf("%d %d %d\n", v.kind, v.low, v.high);
    v.high = -1;
    printf("%d\n", v.whole);
    v.real = 1.0f;
    printf("%d %d\n", v.low, v.high);
    struct value w = {.kind = 2, {.low = 7, .high = 9}};
    printf("%x %zu\n", (unsigned)w.whole, sizeof w);
    return 0;
}
