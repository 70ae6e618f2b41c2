// Bit fields over the whole word.
#include <stdint.h>
#include <stdio.h>

union instruction {
    uint32_t word;
    struct { uint32_t opcode : 7, rd : 5, funct : 3, rs : 5; int32_t immediate : 12; } parts;
    struct { uint8_t bytes[4]; };
};

int main(void) {
    union instruction i = {.word = 0xfff10113};
    printf("%u %u %u %u %d\n", i.parts.opcode, i.parts.rd, i.parts.funct, i.parts.rs, i.parts.immediate);
    i.parts.immediate = 100;
    i.parts.rd = 31;
    printf("%08x %02x %02x\n", i.word, i.bytes[0], i.bytes[3]);
    i.bytes[1] = 0x55;
    printf("%u %u\n", i.parts.rd, i.parts.funct);
    return 0;
}
