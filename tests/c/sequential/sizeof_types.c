// Sizes and alignments on this target.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct mixed {
    char c;
    double d;
    short s;
    int i;
    char tail;
};

int main(void) {
    printf("%zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long));
    printf("%zu %zu %zu %zu\n", sizeof(float), sizeof(double), sizeof(void *), sizeof(__int128));
    printf("%zu %zu\n", sizeof(struct mixed), _Alignof(struct mixed));
    int array[17];
    printf("%zu %zu %zu\n", sizeof array, sizeof array / sizeof *array, sizeof &array);
    printf("%zu %zu\n", sizeof "hello", sizeof 'c');
    int n = 1;
    printf("%zu ", sizeof n++);
    printf("%d\n", n);
    return 0;
}
