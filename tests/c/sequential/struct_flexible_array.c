// A struct that ends in an array of any length.
#include <stdio.h>
#include <stdlib.h>

struct series { int count; double values[]; };

static struct series *make(int count) {
    struct series *s = malloc(sizeof *s + (size_t)count * sizeof s->values[0]);
    s->count = count;
    for (int i = 0; i < count; i++)
        s->values[i] = i * 0.5;
    return s;
}

int main(void) {
    for (int n = 0; n < 8; n += 3) {
        struct series *s = make(n);
        double sum = 0;
        for (int i = 0; i < s->count; i++)
            sum += s->values[i];
        printf("%d %g %zu\n", s->count, sum, sizeof *s);
        free(s);
    }
    return 0;
}
