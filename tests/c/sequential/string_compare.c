// The sign of strcmp, strncmp and memcmp, with bytes above 127.
#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    const char *words[] = {"", "a", "ab", "abc", "abd", "b", "\x80", "A"};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            printf("%2d%2d ", sign(strcmp(words[i], words[j])), sign(strncmp(words[i], words[j], 2)));
        putchar('\n');
    }
    printf("%d %d %d\n", sign(memcmp("a\0b", "a\0c", 3)), memcmp("same", "same", 4), sign(memcmp("\xff", "\x01", 1)));
    printf("%d %d\n", strncmp("x", "y", 0), strncmp("abc", "abcdef", 3) == 0);
    return 0;
}
