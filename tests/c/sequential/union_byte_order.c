// Which byte comes first, by union, by pointer and by memcpy.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    union { uint64_t word; unsigned char bytes[8]; } u = {0x0102030405060708};
    for (int i = 0; i < 8; i++)
        printf("%d ", u.bytes[i]);
    const unsigned char *p = (const unsigned char *)&u.word;
    for (int i = 7; i >= 0; i--)
        printf("%d ", p[i]);
    unsigned char copy[8];
    memcpy(copy, &u.word, 8);
    uint32_t middle;
    memcpy(&middle, copy + 2, 4);
    printf("%08x\n", middle);
    return 0;
}
