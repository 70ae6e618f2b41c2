// strtok keeps its place between calls.
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[] = "  the quick,,brown ; fox  ";
    int n = 0;
    for (char *word = strtok(text, " ,;"); word; word = strtok(NULL, " ,;"))
        printf("%d [%s]\n", ++n, word);
    char fields[] = "a:b/c:d/e";
    char *first = strtok(fields, "/");
    char *second = strtok(NULL, ":");
    char *third = strtok(NULL, "/");
    printf("%s %s %s %d\n", first, second, third, strtok(NULL, "/") != NULL);
    return 0;
}
