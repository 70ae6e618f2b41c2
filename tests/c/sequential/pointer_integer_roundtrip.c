// Pointers through integers, with a tag in the low bits.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    long numbers[4] = {10, 20, 30, 40};
    uintptr_t address = (uintptr_t)&numbers[1];
    long *back = (long *)(address + sizeof(long));
    printf("%ld %d\n", *back, address % sizeof(long) == 0);
    uintptr_t tagged = (uintptr_t)&numbers[3] | 5;
    printf("%d %ld\n", (int)(tagged & 7), *(long *)(tagged & ~(uintptr_t)7));
    printf("%td\n", (ptrdiff_t)((uintptr_t)&numbers[3] - address));
    return 0;
}
