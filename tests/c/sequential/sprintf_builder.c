// Text put together piece by piece.
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[100], *at = buffer;
    for (int i = 0; i < 5; i++)
        at += sprintf(at, "%s%d=%c", i ? ", " : "", i * i, 'a' + i);
    printf("%s (%zu)\n", buffer, strlen(buffer));
    sprintf(buffer, "%s", "constant");
    sprintf(buffer + 8, "!");
    puts(buffer);
    fprintf(stdout, "%d %s\n", 1, "two");
    fputs("fputs\n", stdout);
    fputc('c', stdout);
    fputc('\n', stdout);
    return 0;
}
