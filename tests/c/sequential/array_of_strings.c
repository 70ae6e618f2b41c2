// Ragged arrays of strings, sorted by selection.
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *words[] = {"pear", "apple", "fig", "quince", "date", "cherry", "apricot"};
    char fixed[3][8] = {"one", "two", "three"};
    int n = sizeof words / sizeof *words;
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (strcmp(words[j], words[least]) < 0)
                least = j;
        const char *t = words[i];
        words[i] = words[least];
        words[least] = t;
        printf("%s ", words[i]);
    }
    fixed[1][0] = 'T';
    printf("%s %s %s %zu\n", fixed[0], fixed[1], fixed[2], sizeof fixed);
    return 0;
}
