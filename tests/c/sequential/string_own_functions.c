// The usual string functions written by hand.
#include <stdio.h>

static int length(const char *s) {
    const char *p = s;
    while (*p)
        p++;
    return (int)(p - s);
}
static char *copy(char *to, const char *from) {
    char *start = to;
    while ((*to++ = *from++))
        ;
    return start;
}
static int compare(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}
static const char *find(const char *text, const char *part) {
    for (; *text; text++) {
        int i = 0;
        while (part[i] && text[i] == part[i])
            i++;
        if (!part[i])
            return text;
    }
    return 0;
}

int main(void) {
    char buffer[32];
    printf("%d %s %d\n", length("fencepost"), copy(buffer, "copied"), compare("abc", "abd"));
    printf("%s %d\n", find("in the haystack", "hay"), find("abc", "x") == 0);
    return 0;
}
