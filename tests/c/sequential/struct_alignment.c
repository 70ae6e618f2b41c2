// Over-aligned members and objects.
#include <stdint.h>
#include <stdio.h>

struct line { _Alignas(32) char first; int second; };

int main(void) {
    _Alignas(64) char buffer[10];
    struct line lines[3];
    int ok = (uintptr_t)buffer % 64 == 0;
    for (int i = 0; i < 3; i++)
        ok &= (uintptr_t)&lines[i] % 32 == 0;
    printf("%d %zu %zu\n", ok, sizeof(struct line), _Alignof(struct line));
    double d[2];
    int64_t l;
    short s;
    printf("%d %d %d\n", (uintptr_t)d % _Alignof(double) == 0, (uintptr_t)&l % 8 == 0, (uintptr_t)&s % 2 == 0);
    return 0;
}
