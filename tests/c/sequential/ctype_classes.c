// The classes of characters in the C locale.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int c = 0; c < 128; c++)
        printf("%d%d%d%d%d%d%d%d%d%d%s", !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c), !!islower(c),
               !!ispunct(c), !!isxdigit(c), !!iscntrl(c), !!isprint(c), c % 8 == 7 ? "\n" : " ");
    return 0;
}
