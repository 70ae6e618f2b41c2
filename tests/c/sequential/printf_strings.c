// Strings and characters with widths and precisions, given by *.
#include <stdio.h>

int main(void) {
    const char *s = "fencepost";
    printf("[%s] [%12s] [%-12s] [%.5s] [%12.5s] [%-12.5s] [%.0s] [%.20s]\n", s, s, s, s, s, s, s, s);
    printf("[%c] [%3c] [%-3c]\n", 'x', 'y', 'z');
    for (int i = -4; i <= 4; i += 2)
        printf("[%*d] [%.*s] [%*.*s]\n", i, 7, i, s, i * 3, i, s);
    char unended[3] = {'a', 'b', 'c'};
    printf("[%.3s] [%.2s]\n", unended, unended);
    int n = printf("count\n");
    printf("%d\n", n);
    return 0;
}
