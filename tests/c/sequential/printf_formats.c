// Integer conversions with every flag.
#include <stdio.h>

int main(void) {
    const int values[] = {0, 1, -1, 42, -12345, 2147483647};
    for (int i = 0; i < 6; i++) {
        int v = values[i];
        printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%+.0d]\n", v, v, v, v, v, v, v, v, v, v);
        printf("[%u] [%x] [%X] [%o] [%#x] [%#X] [%#o] [%08x] [%#10x] [%-#10x] [%.10u]\n", v, v, v, v, v, v, v, v, v, v, v);
    }
    printf("%i %% [%.0d] [%.0x] [%#.0o] [%5.0d]\n", 7, 0, 0, 0, 0);
    return 0;
}
