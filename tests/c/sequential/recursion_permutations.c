// All orders of four letters.
#include <stdio.h>

static void permute(char *s, int from, int count) {
    if (from == count) {
        puts(s);
        return;
    }
    for (int i = from; i < count; i++) {
        char t = s[from];
        s[from] = s[i], s[i] = t;
        permute(s, from + 1, count);
        t = s[from];
        s[from] = s[i], s[i] = t;
    }
}

int main(void) {
    char letters[] = "abcd";
    permute(letters, 0, 4);
    return 0;
}
