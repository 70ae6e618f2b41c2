// Copies on the heap, reversed in place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *strdup(const char *);

static char *reversed(const char *s) {
    char *copy = strdup(s);
    size_t n = strlen(copy);
    for (size_t i = 0; i < n / 2; i++) {
        char t = copy[i];
        copy[i] = copy[n - 1 - i];
        copy[n - 1 - i] = t;
    }
    return copy;
}

int main(void) {
    const char *words[] = {"", "x", "ab", "level", "fencepost"};
    for (int i = 0; i < 5; i++) {
        char *r = reversed(words[i]);
        printf("%s %s %d\n", words[i], r, strcmp(words[i], r) == 0);
        free(r);
    }
    return 0;
}
