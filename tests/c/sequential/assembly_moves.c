// Inline assembly: moves of all sizes, parts of registers, conditions, addresses and jumps, in either syntax.
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {0, 1, 0x7f, 0x80, 0xffff, 0x80000000, 0x123456789abcdef0, 0xffffffffffffffff};
enum { COUNT = sizeof values / sizeof *values };

static uint32_t global = 41;

static void show(const char *name, uint64_t result) {
    printf("%s %llx\n", name, (unsigned long long)result);
}

#define MOVE(size, type)                                                                             \
    static void move##size(uint64_t x, uint64_t y) {                                                 \
        type m = (type)x, r;                                                                         \
        __asm__ volatile("mov{" #size " %1, %0| %0, %1}" : "=r"(r) : "m"(m) : "memory");             \
        show("load " #size, r);                                                                      \
        __asm__ volatile("mov{" #size " %1, %0| %0, %1}" : "=m"(m) : "ir"((type)y) : "memory");      \
        show("store " #size, m);                                                                     \
        __asm__ volatile("mov{" #size " $-2, %0| %0, -2}" : "=m"(m));                                \
        show("store " #size, m);                                                                     \
        __asm__ volatile("mov{" #size " %1, %0| %0, %1}" : "=r"(r) : "r"((type)y));                  \
        show("move " #size, r);                                                                      \
    }
MOVE(b, uint8_t)
MOVE(w, uint16_t)
MOVE(l, uint32_t)
MOVE(q, uint64_t)

static void constants(void) {
    uint8_t byte = 0;
    uint32_t half = 0;
    __asm__ volatile("add{b %b1, %0| %0, %b1}" : "+m"(byte) : "iq"(-5) : "cc");
    __asm__ volatile("mov{l %k1, %0| %0, %k1}" : "=m"(half) : "ir"(77));
    show("constants", byte + half);
}

static void extend(uint64_t x) {
    uint8_t byte = (uint8_t)x;
    uint16_t word = (uint16_t)x;
    uint32_t half = (uint32_t)x, r;
    uint64_t wide;
    __asm__("{movzbl %1, %0|movzx %0, %1}" : "=r"(r) : "m"(byte));
    show("movzbl", r);
    __asm__("{movzbl %1, %0|movzx %0, %1}" : "=r"(r) : "q"(byte));
    show("movzbl", r);
    __asm__("{movsbl %1, %0|movsx %0, %1}" : "=r"(r) : "m"(byte));
    show("movsbl", r);
    __asm__("{movswq %1, %0|movsx %0, %1}" : "=r"(wide) : "r"(word));
    show("movswq", wide);
    __asm__("{movzwq %1, %0|movzx %0, %1}" : "=r"(wide) : "m"(word));
    show("movzwq", wide);
    __asm__("{movslq %1, %0|movsxd %0, %1}" : "=r"(wide) : "m"(half));
    show("movslq", wide);
}

static void parts(uint64_t x, uint64_t y) {
    uint64_t r = x;
    __asm__("mov{b %b1, %b0| %b0, %b1}" : "+q"(r) : "q"(y));
    show("low byte", r);
    __asm__("mov{b %b1, %h0| %h0, %b1}" : "+Q"(r) : "Q"(y));
    show("high byte", r);
    __asm__("mov{b %h1, %b0| %b0, %h1}" : "+Q"(r) : "Q"(y));
    show("from high byte", r);
    __asm__("mov{w %w1, %w0| %w0, %w1}" : "+r"(r) : "r"(y));
    show("word", r);
    __asm__("mov{l %k1, %k0| %k0, %k1}" : "+r"(r) : "r"(y));
    show("half", r);
    __asm__("mov{q %q1, %q0| %q0, %q1}" : "+r"(r) : "r"(y));
    show("whole", r);
    __asm__("mov{b $7, %%ah| ah, 7}\n\tadd{l %k1, %%eax| eax, %k1}" : "+a"(r) : "d"(y) : "cc");
    show("named", r);
    __asm__("push{q %q1| %q1}\n\txor{l %k0, %k0| %k0, %k0}\n\tpop{q %q0| %q0}" : "=&r"(r) : "r"(y) : "cc", "memory");
    show("pushed", r);
}

#define CONDITION(name)                                                                              \
    {                                                                                                \
        unsigned char set;                                                                           \
        uint32_t moved = 9;                                                                          \
        __asm__("cmp{q %2, %1| %1, %2}\n\tset" #name " %0" : "=q"(set) : "r"(x), "r"(y) : "cc");     \
        __asm__("cmp{q %2, %1| %1, %2}\n\tcmov" #name "{l %3, %0| %0, %3}"                           \
                : "+r"(moved) : "r"(x), "r"(y), "r"(33) : "cc");                                     \
        show(#name, set + moved * 2u);                                                               \
    }

static void conditions(uint64_t x, uint64_t y) {
    CONDITION(o) CONDITION(no) CONDITION(b) CONDITION(nae) CONDITION(c) CONDITION(ae) CONDITION(nb)
    CONDITION(nc) CONDITION(z) CONDITION(e) CONDITION(ne) CONDITION(nz) CONDITION(be) CONDITION(na)
    CONDITION(a) CONDITION(nbe) CONDITION(s) CONDITION(ns) CONDITION(p) CONDITION(pe) CONDITION(np)
    CONDITION(po) CONDITION(l) CONDITION(nge) CONDITION(ge) CONDITION(nl) CONDITION(le) CONDITION(ng)
    CONDITION(g) CONDITION(nle)
}

static void addresses(uint64_t x) {
    uint32_t row[8] = {1, 2, 3, 4, 5, 6, 7, (uint32_t)x}, r;
    uint64_t index = x % 4;
    __asm__("mov{l 4(%1,%2,4), %0| %0, dword ptr [%1 + %2*4 + 4]}" : "=r"(r) : "r"(row), "r"(index) : "memory");
    show("indexed", r);
    __asm__("mov{l (%1), %0| %0, dword ptr [%1]}" : "=r"(r) : "r"(row + 7) : "memory");
    show("direct", r);
    __asm__("mov{l -4(%1), %0| %0, dword ptr [%1 - 4]}" : "=r"(r) : "r"(row + index + 1) : "memory");
    show("before", r);
    uint64_t address;
    __asm__("lea{q 8(,%1,8), %0| %0, [%1*8 + 8]}" : "=r"(address) : "r"(x));
    show("lea", address);
    __asm__ volatile("lock; add{l $1, %0| %0, 1}" : "+m"(global) : : "memory", "cc");
    show("global", global);
}

// 1 + 2 + … + n, and the number of ones, by loops.
static void loops(uint64_t x) {
    uint64_t sum = 0, n = x % 9;
    __asm__("1:\ttest{q %1, %1| %1, %1}\n\tjz 2f\n\tadd{q %1, %0| %0, %1}\n\tdec{q %1| %1}\n\tjmp 1b\n2:"
            : "+r"(sum), "+r"(n) : : "cc");
    show("sum", sum);
    uint64_t ones = 0, rest = x;
    __asm__(".Lnext%=: shr{q %1| %1}\n adc{q $0, %0| %0, 0}\n test{q %1, %1| %1, %1}\n jne .Lnext%="
            : "+r"(ones), "+r"(rest) : : "cc");
    show("ones", ones);
    uint32_t place = 3, old;
    __asm__ volatile("mov{l %2, %0| %0, %2}\n1: mov{l %0, %k1| %k1, %0}\n add{l $5, %k1| %k1, 5}\n"
                     " lock cmpxchg{l %k1, %2| %2, %k1}\n jnz 1b"
                     : "=&a"(old), "=&r"(rest), "+m"(place) : : "memory", "cc");
    show("retried", place + old);
}

static int jumps(uint64_t x) {
    __asm__ goto("test{q %0, %0| %0, %0}\n\tjz %l[none]\n\tjs %l[negative]" : : "r"(x) : "cc" : none, negative);
    return 1;
none:
    return 0;
negative:
    return -1;
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++) {
            uint64_t x = values[i], y = values[j];
            moveb(x, y), movew(x, y), movel(x, y), moveq(x, y);
            parts(x, y);
            conditions(x, y);
        }
        extend(values[i]);
        addresses(values[i]);
        loops(values[i]);
        show("jumps", (uint64_t)jumps(values[i]));
    }
    constants();
    return 0;
}
