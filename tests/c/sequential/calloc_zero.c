// Memory from calloc is zero, as are globals.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { int a[5]; double d; char *p; } global;

int main(void) {
    unsigned char *bytes = calloc(25, 4);
    int any = 0;
    for (int i = 0; i < 100; i++)
        any |= bytes[i];
    memset(bytes, 0xff, 100);
    free(bytes);
    double *reals = calloc(4, sizeof *reals);
    printf("%d %g %d %g %d\n", any, reals[3], global.a[4], global.d, global.p == NULL);
    free(reals);
    return 0;
}
