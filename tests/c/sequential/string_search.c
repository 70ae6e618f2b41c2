// strchr, strrchr, strstr and memchr.
#include <stdio.h>
#include <string.h>

static void show(const char *text, const char *found) {
    if (found)
        printf("%d:%s\n", (int)(found - text), found);
    else
        puts("none");
}

int main(void) {
    const char *text = "the cat sat on the mat";
    const char letters[] = {'t', 'z', 'o', 'm', '\0'};
    for (int i = 0; i < 5; i++) {
        show(text, strchr(text, letters[i]));
        show(text, strrchr(text, letters[i]));
    }
    const char *parts[] = {"the", "at", "mat", "", "them", "on the mat!"};
    for (int i = 0; i < 6; i++)
        show(text, strstr(text, parts[i]));
    show(text, memchr(text, 's', 8));
    show(text, memchr(text, 's', 9));
    return 0;
}
