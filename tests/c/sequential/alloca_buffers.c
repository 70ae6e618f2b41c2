// Memory of the frame, by builtin.
#include <stdio.h>
#include <string.h>

static size_t repeat(const char *word, int times) {
    size_t length = strlen(word);
    char *buffer = __builtin_alloca(length * (size_t)times + 1);
    char *at = buffer;
    while (times-- > 0) {
        memcpy(at, word, length);
        at += length;
    }
    *at = '\0';
    puts(buffer);
    return strlen(buffer);
}

int main(void) {
    for (int i = 0; i < 4; i++)
        printf("%zu\n", repeat("ab-", i * 3));
    return 0;
}
