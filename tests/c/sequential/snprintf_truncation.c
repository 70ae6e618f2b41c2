// snprintf tells how long it would have been.
#include <stdio.h>
#include <string.h>

int main(void) {
    for (size_t size = 0; size < 12; size += 3) {
        char buffer[12];
        memset(buffer, '#', sizeof buffer);
        buffer[11] = '\0';
        int n = snprintf(buffer, size, "%s-%d", "abc", 12345);
        printf("%d %d %s\n", n, (int)strlen(buffer), buffer);
    }
    printf("%d\n", snprintf(NULL, 0, "%f", 1.5));
    return 0;
}
