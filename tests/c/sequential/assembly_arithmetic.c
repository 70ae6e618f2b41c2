// Inline assembly: arithmetic of all sizes in registers and in memory, with and without `lock`, and its flags.
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {0, 1, 0x80, 0x7fff, 0x80000000, 0x7fffffffffffffff, 0xfffffffffffffffe};
enum { COUNT = sizeof values / sizeof *values };

#define FLAGS "=@ccc"(c), "=@ccz"(z), "=@ccs"(s), "=@cco"(o), "=@ccp"(p)
#define ALL_SIZES(X, op) X(op, b, uint8_t) X(op, w, uint16_t) X(op, l, uint32_t) X(op, q, uint64_t)

static void show(const char *name, uint64_t result, int c, int z, int s, int o, int p) {
    printf("%s %llx %d%d%d%d%d\n", name, (unsigned long long)result, c, z, s, o, p);
}

#define TWO(op, size, type)                                                                          \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type m = (type)x, b = (type)y;                                                               \
        uint8_t c, z, s, o, p;                                                                       \
        __asm__ volatile(#op #size " %[b], %[m]" : [m] "+r"(m), FLAGS : [b] "r"(b) : "cc");          \
        show(#op #size, m, c, z, s, o, p);                                                           \
        m = (type)x;                                                                                 \
        __asm__ volatile(#op #size " %[b], %[m]" : [m] "+m"(m), FLAGS : [b] "r"(b) : "cc");          \
        show(#op #size, m, c, z, s, o, p);                                                           \
        m = (type)x;                                                                                 \
        __asm__ volatile("lock; " #op #size " %[b], %[m]" : [m] "+m"(m), FLAGS : [b] "r"(b) : "cc"); \
        show("lock " #op #size, m, c, z, s, o, p);                                                   \
        m = (type)x;                                                                                 \
        __asm__ volatile(#op #size " %[b], %[m]" : [m] "+r"(m) : [b] "m"(b) : "cc");                 \
        show(#op #size, m, 0, 0, 0, 0, 0);                                                           \
        m = (type)x;                                                                                 \
        __asm__ volatile("lock " #op #size " %[b], %[m]" : [m] "+m"(m), FLAGS : [b] "i"(-3) : "cc"); \
        show("lock " #op #size, m, c, z, s, o, p);                                                   \
    }
ALL_SIZES(TWO, add)
ALL_SIZES(TWO, sub)
ALL_SIZES(TWO, and)
ALL_SIZES(TWO, or)
ALL_SIZES(TWO, xor)

// With the carry of a sum before it.
#define CARRY(op, size, type)                                                                        \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type m = (type)x, b = (type)y, t = (type)(x >> 1);                                           \
        uint8_t c, z, s, o, p;                                                                       \
        __asm__ volatile("add" #size " %[t], %[t]; " #op #size " %[b], %[m]"                         \
                         : [m] "+r"(m), [t] "+&r"(t), FLAGS : [b] "r"(b) : "cc");                    \
        show(#op #size, m, c, z, s, o, p);                                                           \
        m = (type)x, t = (type)(x >> 1);                                                             \
        __asm__ volatile("add" #size " %[t], %[t]\n\tlock\n\t" #op #size " %[b], %[m]"               \
                         : [m] "+m"(m), [t] "+&r"(t), FLAGS : [b] "r"(b) : "cc");                    \
        show("lock " #op #size, m, c, z, s, o, p);                                                   \
    }
ALL_SIZES(CARRY, adc)
ALL_SIZES(CARRY, sbb)

#define COMPARE(op, size, type)                                                                      \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type m = (type)x, b = (type)y;                                                               \
        uint8_t c, z, s, o, p;                                                                       \
        __asm__ volatile(#op #size " %[b], %[m]" : FLAGS : [m] "m"(m), [b] "r"(b) : "cc");           \
        show(#op #size, m, c, z, s, o, p);                                                           \
    }
ALL_SIZES(COMPARE, cmp)
ALL_SIZES(COMPARE, test)

#define ONE(op, size, type)                                                                          \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type m = (type)x, t = (type)y;                                                               \
        uint8_t c, z, s, o, p;                                                                       \
        __asm__ volatile("add" #size " %[t], %[t]; " #op #size " %[m]"                               \
                         : [m] "+r"(m), [t] "+&r"(t), FLAGS : : "cc");                               \
        show(#op #size, m, c, z, s, o, p);                                                           \
        m = (type)x, t = (type)y;                                                                    \
        __asm__ volatile("add" #size " %[t], %[t]; lock " #op #size " %[m]"                          \
                         : [m] "+m"(m), [t] "+&r"(t), FLAGS : : "cc");                               \
        show("lock " #op #size, m, c, z, s, o, p);                                                   \
    }
ALL_SIZES(ONE, inc)
ALL_SIZES(ONE, dec)
ALL_SIZES(ONE, not)
ALL_SIZES(ONE, neg)

#define MULTIPLY(op, size, type)                                                                     \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type m = (type)x, b = (type)y;                                                               \
        uint8_t c, o;                                                                                \
        __asm__ volatile(#op #size " %[b], %[m]" : [m] "+r"(m), "=@ccc"(c), "=@cco"(o) : [b] "r"(b)); \
        show(#op #size, m, c, 0, 0, o, 0);                                                           \
        __asm__ volatile(#op #size " $-7, %[b], %[m]" : [m] "=r"(m), "=@ccc"(c), "=@cco"(o) : [b] "r"(b)); \
        show(#op #size, m, c, 0, 0, o, 0);                                                           \
    }
MULTIPLY(imul, w, uint16_t)
MULTIPLY(imul, l, uint32_t)
MULTIPLY(imul, q, uint64_t)

#define CALL(op, size, type) op##size(x, y);
int main(void) {
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            uint64_t x = values[i] ^ (uint64_t)(j & 1), y = values[j];
            ALL_SIZES(CALL, add) ALL_SIZES(CALL, sub) ALL_SIZES(CALL, and) ALL_SIZES(CALL, or)
            ALL_SIZES(CALL, xor) ALL_SIZES(CALL, adc) ALL_SIZES(CALL, sbb) ALL_SIZES(CALL, cmp)
            ALL_SIZES(CALL, test) ALL_SIZES(CALL, inc) ALL_SIZES(CALL, dec) ALL_SIZES(CALL, not)
            ALL_SIZES(CALL, neg) imulw(x, y); imull(x, y); imulq(x, y);
        }
    return 0;
}
