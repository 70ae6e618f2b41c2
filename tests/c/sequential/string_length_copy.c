// strlen, strcpy and strncpy.
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *words[] = {"", "a", "fence", "a longer string with spaces"};
    for (int i = 0; i < 4; i++) {
        char copy[40], part[6];
        strcpy(copy, words[i]);
        memset(part, '#', sizeof part);
        strncpy(part, words[i], 5);
        part[5] = '\0';
        printf("%zu [%s] [%s]\n", strlen(words[i]), copy, part);
    }
    return 0;
}
