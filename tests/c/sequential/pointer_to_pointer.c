// Changing pointers through pointers.
#include <stdio.h>

static void swap(const char **a, const char **b) {
    const char *t = *a;
    *a = *b;
    *b = t;
}
static void skip_blanks(const char **s) {
    while (**s == ' ')
        ++*s;
}

int main(void) {
    const char *x = "first", *y = "second", **p = &x, ***q = &p;
    swap(&x, &y);
    printf("%s %s %s\n", x, y, **q);
    *q = &y;
    printf("%s %c\n", *p, ***q);
    const char *text = "   indented";
    skip_blanks(&text);
    puts(text);
    return 0;
}
