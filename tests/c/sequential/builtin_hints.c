// Hints that change nothing.
#include <stdio.h>

static int classify(int x) {
    if (__builtin_expect(x < 0, 0))
        return -1;
    switch (x & 3) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 3: return 13;
    }
    __builtin_unreachable();
}

int main(void) {
    int data[64];
    for (int i = 0; i < 64; i++)
        data[i] = i * 7;
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        __builtin_prefetch(&data[(i + 8) & 63]);
        sum += classify(data[i] - 20);
    }
    int *p = __builtin_assume_aligned((const void *)data, 4);
    printf("%d %d %d\n", sum, p[63], __builtin_constant_p(3));
    printf("%zu %s\n", __builtin_object_size(data, 0), __func__);
    return 0;
}
