// Inline assembly: shifts, and instructions that test, find and count bits.
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {0, 1, 5, 0x80, 0x8001, 0x80000000, 0x7fffffffffffffff, 0xfedcba9876543210};
enum { COUNT = sizeof values / sizeof *values };

#define WIDE_SIZES(X, op) X(op, w, uint16_t) X(op, l, uint32_t) X(op, q, uint64_t)
#define ALL_SIZES(X, op) X(op, b, uint8_t) WIDE_SIZES(X, op)
#define FLAGS "=@ccc"(c), "=@ccz"(z), "=@ccs"(s), "=@ccp"(p)

static void show(const char *name, uint64_t result, int c, int z, int s, int o, int p) {
    printf("%s %llx %d%d%d%d%d\n", name, (unsigned long long)result, c, z, s, o, p);
}

// By one, by three, and by what `cl` says.
#define SHIFT(op, size, type)                                                                        \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type m = (type)x;                                                                            \
        uint8_t c, z, s, o, p;                                                                       \
        __asm__ volatile("testb %b[t], %b[t]; " #op #size " %[m]" : [m] "+r"(m), "=@cco"(o), FLAGS : [t] "r"(y)); \
        show(#op #size, m, c, z, s, o, p);                                                           \
        m = (type)x;                                                                                 \
        __asm__ volatile("testb %b[t], %b[t]; " #op #size " $3, %[m]" : [m] "+m"(m), FLAGS : [t] "r"(y)); \
        show(#op #size, m, c, z, s, 0, p);                                                           \
        m = (type)x;                                                                                 \
        __asm__ volatile(#op #size " %%cl, %[m]" : [m] "+r"(m) : "c"((int)y) : "cc");                \
        show(#op #size, m, 0, 0, 0, 0, 0);                                                           \
    }
ALL_SIZES(SHIFT, shl)
ALL_SIZES(SHIFT, sal)
ALL_SIZES(SHIFT, shr)
ALL_SIZES(SHIFT, sar)
ALL_SIZES(SHIFT, rol)
ALL_SIZES(SHIFT, ror)

// A bit that a register numbers may be outside of the operand, also before it.
#define BIT(op, size, type)                                                                          \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type row[3] = {(type)x, (type)~x, (type)(x >> 7)};                                           \
        type number = (type)(y % (2 * 8 * sizeof(type))) - (type)(8 * sizeof(type));                 \
        uint8_t c;                                                                                   \
        __asm__ volatile(#op #size " %2, %0" : "+m"(row[1]), "=@ccc"(c) : "r"(number) : "memory", "cc"); \
        show(#op #size, row[0] + 3 * row[1] + 5 * row[2], c, 0, 0, 0, 0);                            \
        type m = (type)x;                                                                            \
        __asm__ volatile(#op #size " %2, %0" : "+r"(m), "=@ccc"(c) : "r"((type)y) : "cc");           \
        show(#op #size, m, c, 0, 0, 0, 0);                                                           \
        __asm__ volatile(#op #size " %2, %0; setc %1" : "+m"(m), "=q"(c) : "i"(11) : "cc");          \
        show(#op #size, m, c, 0, 0, 0, 0);                                                           \
    }
#define LOCKED_BIT(op, size, type)                                                                   \
    static void locked_##op##size(uint64_t x, uint64_t y) {                                          \
        type row[3] = {(type)x, (type)~x, (type)(x >> 7)};                                           \
        type number = (type)(y % (2 * 8 * sizeof(type))) - (type)(8 * sizeof(type));                 \
        uint8_t c;                                                                                   \
        __asm__ volatile("lock; " #op #size " %2, %0" : "+m"(row[1]), "=@ccc"(c) : "r"(number) : "memory", "cc"); \
        show("lock " #op #size, row[0] + 3 * row[1] + 5 * row[2], c, 0, 0, 0, 0);                    \
        __asm__ volatile("lock " #op #size " %2, %0; sbb %1, %1"                                     \
                         : "+m"(row[2]), "=r"(number) : "Ir"((type)9) : "cc");                       \
        show("lock " #op #size, row[2] ^ number, 0, 0, 0, 0, 0);                                     \
    }
WIDE_SIZES(BIT, bt)
WIDE_SIZES(BIT, bts)
WIDE_SIZES(BIT, btr)
WIDE_SIZES(BIT, btc)
WIDE_SIZES(LOCKED_BIT, bts)
WIDE_SIZES(LOCKED_BIT, btr)
WIDE_SIZES(LOCKED_BIT, btc)

#define SCAN(op, size, type)                                                                         \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type m = 77;                                                                                 \
        uint8_t z;                                                                                   \
        __asm__ volatile(#op #size " %2, %0" : "=r"(m), "=@ccz"(z) : "m"(*(type *)&x));              \
        show(#op #size, z ? 0 : m, 0, z, 0, 0, 0);                                                   \
        (void)y;                                                                                     \
    }
WIDE_SIZES(SCAN, bsf)
WIDE_SIZES(SCAN, bsr)

#define SWAP(op, size, type)                                                                         \
    static void op##size(uint64_t x, uint64_t y) {                                                   \
        type m = (type)(x + y);                                                                      \
        __asm__ volatile(#op #size " %0" : "+r"(m));                                                 \
        show(#op #size, m, 0, 0, 0, 0, 0);                                                           \
    }
SWAP(bswap, l, uint32_t)
SWAP(bswap, q, uint64_t)

#define CALL(op, size, type) op##size(x, y);
#define CALL_LOCKED(op, size, type) locked_##op##size(x, y);
int main(void) {
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            uint64_t x = values[i], y = values[j] + (uint64_t)j;
            ALL_SIZES(CALL, shl) ALL_SIZES(CALL, sal) ALL_SIZES(CALL, shr) ALL_SIZES(CALL, sar)
            ALL_SIZES(CALL, rol) ALL_SIZES(CALL, ror)
            WIDE_SIZES(CALL, bt) WIDE_SIZES(CALL, bts) WIDE_SIZES(CALL, btr) WIDE_SIZES(CALL, btc)
            WIDE_SIZES(CALL_LOCKED, bts) WIDE_SIZES(CALL_LOCKED, btr) WIDE_SIZES(CALL_LOCKED, btc)
            WIDE_SIZES(CALL, bsf) WIDE_SIZES(CALL, bsr) bswapl(x, y); bswapq(x, y);
        }
    return 0;
}
