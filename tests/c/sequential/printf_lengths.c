// Length modifiers cut the argument down.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    printf("%hhd %hhu %hd %hu\n", 300, 300, 70000, 70000);
    printf("%hhx %hx\n", -1, -1);
    printf("%ld %lu %lx\n", -1L, ~0UL, 1UL << 40);
    printf("%lld %llu %llo\n", -(1LL << 40), ~0ULL, 01234567ULL);
    printf("%zu %zd %td %jd %ju\n", (size_t)-1, (ptrdiff_t)-5, (ptrdiff_t)-6, (intmax_t)-7, (uintmax_t)8);
    printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 " %" PRIuPTR "\n", (int8_t)-8, (uint16_t)65535, (uint32_t)0xabc,
           INT64_MIN, (uintptr_t)99);
    return 0;
}
