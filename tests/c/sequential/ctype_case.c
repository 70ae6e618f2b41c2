// toupper and tolower.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    const char *text = "Hello, World! [123] {xyz}";
    for (const char *p = text; *p; p++)
        putchar(toupper((unsigned char)*p));
    for (const char *p = text; *p; p++)
        putchar(tolower((unsigned char)*p));
    int letters = 0, words = 0, inside = 0;
    for (const char *p = text; *p; p++) {
        letters += isalpha((unsigned char)*p) != 0;
        int now = !isspace((unsigned char)*p);
        words += now && !inside;
        inside = now;
    }
    printf("\n%d %d\n", letters, words);
    return 0;
}
