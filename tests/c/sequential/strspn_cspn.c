// Spans of characters that are or are not in a set.
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *texts[] = {"12345abc", "abc", "", "0x1f", "99 bottles"};
    for (int i = 0; i < 5; i++)
        printf("%zu %zu %zu\n", strspn(texts[i], "0123456789"), strcspn(texts[i], "xyz "), strcspn(texts[i], ""));
    const char *p = strpbrk("name=value;rest", ";=");
    printf("%s\n", p);
    return 0;
}
