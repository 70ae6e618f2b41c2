// Small types become int before any operator sees them.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint8_t a = 200, b = 100;
    printf("%d %d %d\n", a + b, (uint8_t)(a + b), a - b * 3);
    printf("%d %d\n", ~a, (uint8_t)~a);
    printf("%d %d\n", -b, (uint8_t)-b);
    printf("%d\n", a << 4);
    printf("%zu %zu %zu\n", sizeof(a + b), sizeof(a), sizeof(+a));
    uint16_t c = 65535;
    printf("%d %u\n", c + 1, (uint16_t)(c + 1));
    printf("%d\n", (int8_t)a == a);
    _Bool t = 1;
    printf("%d %d\n", t + t, (_Bool)(t + t));
    return 0;
}
