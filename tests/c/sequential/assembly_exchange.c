// Inline assembly: exchanges of all sizes.
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {0, 1, 0x80, 0x1234, 0x80000000, 0x123456789abcdef0, 0xffffffffffffffff};
enum { COUNT = sizeof values / sizeof *values };

#define FLAGS "=@ccc"(c), "=@ccz"(z), "=@ccs"(s), "=@cco"(o), "=@ccp"(p)
#define ALL_SIZES(X) X(b, uint8_t) X(w, uint16_t) X(l, uint32_t) X(q, uint64_t)

static void show(const char *name, uint64_t m, uint64_t a, int c, int z, int s, int o, int p) {
    printf("%s %llx %llx %d%d%d%d%d\n", name, (unsigned long long)m, (unsigned long long)a, c, z, s, o, p);
}

#define EXCHANGES(size, type)                                                                        \
    static void exchanges##size(uint64_t x, uint64_t y, uint64_t e) {                                \
        type m = (type)x, r = (type)y;                                                               \
        uint8_t c, z, s, o, p;                                                                       \
        __asm__ volatile("xchg" #size " %0, %1" : "+r"(r), "+m"(m) : : "memory");                    \
        show("xchg" #size, m, r, 0, 0, 0, 0, 0);                                                     \
        __asm__ volatile("xchg" #size " %1, %0" : "=r"(r) : "m"(m), "0"((type)y) : "memory");        \
        show("xchg" #size, m, r, 0, 0, 0, 0, 0);                                                     \
        type other = (type)x;                                                                        \
        __asm__ volatile("xchg" #size " %1, %0" : "+r"(r), "+r"(other));                             \
        show("xchg" #size, other, r, 0, 0, 0, 0, 0);                                                 \
        m = (type)x, r = (type)y;                                                                    \
        __asm__ volatile("lock; xadd" #size " %0, %1" : "+r"(r), "+m"(m), FLAGS : : "memory", "cc"); \
        show("lock xadd" #size, m, r, c, z, s, o, p);                                                \
        __asm__ volatile("xadd" #size " %0, %1" : "+r"(r), "+m"(m), FLAGS : : "memory", "cc");       \
        show("xadd" #size, m, r, c, z, s, o, p);                                                     \
        other = (type)x;                                                                             \
        __asm__ volatile("xadd" #size " %0, %1" : "+r"(r), "+r"(other), FLAGS : : "cc");             \
        show("xadd" #size, other, r, c, z, s, o, p);                                                 \
        type a = (type)e;                                                                            \
        m = (type)x;                                                                                 \
        __asm__ volatile("lock cmpxchg" #size " %[new], %[m]"                                        \
                         : [m] "+m"(m), "+a"(a), FLAGS : [new] "r"((type)y) : "memory", "cc");       \
        show("lock cmpxchg" #size, m, a, c, z, s, o, p);                                             \
        a = (type)e, m = (type)x;                                                                    \
        __asm__ volatile("cmpxchg" #size " %[new], %[m]"                                             \
                         : [m] "+m"(m), "+a"(a), FLAGS : [new] "r"((type)y) : "memory", "cc");       \
        show("cmpxchg" #size, m, a, c, z, s, o, p);                                                  \
        m = (type)x;                                                                                 \
        __asm__ volatile("lock cmpxchg" #size " %2, %1; setz %b0"                                    \
                         : "=a"(z), "+m"(m) : "r"((type)y), "a"((type)e) : "memory", "cc");          \
        show("setz" #size, m, 0, 0, z, 0, 0, 0);                                                     \
        unsigned char stored = 7;                                                                    \
        m = (type)x;                                                                                 \
        __asm__ volatile("lock; cmpxchg" #size " %3, (%2); setne %0"                                 \
                         : "=m"(stored), "=a"(a) : "r"(&m), "r"((type)y), "1"((type)e) : "memory", "cc"); \
        show("setne" #size, m, a, 0, stored, 0, 0, 0);                                               \
    }
ALL_SIZES(EXCHANGES)

// The upper half of a 64-bit register around an exchange of 32 bits.
static void upper(uint64_t x, uint64_t y, uint64_t e) {
    uint32_t m = (uint32_t)x;
    uint64_t a = e;
    __asm__ volatile("lock cmpxchgl %k2, %1" : "+a"(a), "+m"(m) : "r"(y) : "memory", "cc");
    show("upper", m, (uint32_t)x == (uint32_t)e ? (uint32_t)a : a, 0, 0, 0, 0, 0);
}

static void pairs(uint64_t x, uint64_t y, uint64_t e) {
    uint64_t m = x;
    uint32_t low = (uint32_t)e, high = (uint32_t)(e >> 32);
    uint8_t z;
    __asm__ volatile("lock cmpxchg8b %0"
                     : "+m"(m), "=@ccz"(z), "+a"(low), "+d"(high)
                     : "b"((uint32_t)y), "c"((uint32_t)(y >> 32)) : "memory", "cc");
    show("lock cmpxchg8b", m, (uint64_t)high << 32 | low, 0, z, 0, 0, 0);
    struct pair {
        uint64_t low, high;
    } __attribute__((aligned(16))) wide = {x, ~x};
    uint64_t wide_low = e, wide_high = ~e;
    __asm__ volatile("lock; cmpxchg16b %[wide]\n\tsetz %[z]"
                     : [wide] "+m"(wide), [z] "=q"(z), "+a"(wide_low), "+d"(wide_high)
                     : "b"(y), "c"(y + 1) : "memory", "cc");
    show("lock cmpxchg16b", wide.low ^ wide.high, wide_low ^ (wide_high << 1), 0, z, 0, 0, 0);
    uint64_t read_low, read_high;
    __asm__ volatile("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2"
                     : "=a"(read_low), "=d"(read_high) : "m"(wide) : "rbx", "rcx", "memory", "cc");
    show("load of 16 bytes", read_low, read_high, 0, 0, 0, 0, 0);
}

int main(void) {
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            uint64_t x = values[i], y = values[j], e = values[(i + j) % 2 ? i : j];
#define CALL(size, type) exchanges##size(x, y, e);
            ALL_SIZES(CALL)
            upper(x, y, e);
            pairs(x, y, e);
        }
    return 0;
}
