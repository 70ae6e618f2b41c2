// Shifts of each width by every legal amount.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    for (int i = 0; i < 8; i++)
        printf("%u %u\n", (uint8_t)(0xa5u << i), (uint8_t)0xa5 >> i);
    for (int i = 0; i < 16; i++)
        printf("%u %u\n", (uint16_t)(0xbeefu << i), (uint16_t)0xbeef >> i);
    for (int i = 0; i < 32; i++)
        printf("%u %u\n", (uint32_t)0xdeadbeef << i, (uint32_t)0xdeadbeef >> i);
    for (int i = 0; i < 64; i++)
        printf("%llx %llx\n", 0xdeadbeefcafebabeULL << i, 0xdeadbeefcafebabeULL >> i);
    return 0;
}
