// Reading numbers at odd places by memcpy.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t read32(const unsigned char *p) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return x;
}
static void write16(unsigned char *p, uint16_t x) { memcpy(p, &x, sizeof x); }

int main(void) {
    unsigned char bytes[16];
    for (int i = 0; i < 16; i++)
        bytes[i] = (unsigned char)(i * 17);
    for (int i = 0; i < 12; i += 3)
        printf("%08x ", read32(bytes + i));
    write16(bytes + 5, 0xbeef);
    write16(bytes + 6, 0xcafe);
    printf("%08x\n", read32(bytes + 4));
    return 0;
}
