// CRC-32 with a table made at run time.
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];

static uint32_t crc(const char *text) {
    uint32_t c = 0xffffffffu;
    for (; *text != '\0'; text++)
        c = table[(c ^ (unsigned char)*text) & 0xff] ^ (c >> 8);
    return ~c;
}

int main(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    printf("%08x\n%08x\n%08x\n", crc("123456789"), crc(""), crc("The quick brown fox jumps over the lazy dog"));
    return 0;
}
