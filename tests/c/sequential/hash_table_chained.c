// A hash table from words to counts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { char word[12]; int count; struct entry *next; };
static struct entry *buckets[8];

static struct entry *lookup(const char *word) {
    unsigned h = 0;
    for (const char *p = word; *p; p++)
        h = h * 31 + (unsigned char)*p;
    struct entry **at = &buckets[h % 8];
    while (*at && strcmp((*at)->word, word) != 0)
        at = &(*at)->next;
    if (!*at) {
        *at = calloc(1, sizeof **at);
        strcpy((*at)->word, word);
    }
    return *at;
}

int main(void) {
    char text[] = "the cat and the dog and the bird saw the cat";
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        lookup(w)->count++;
    for (int i = 0; i < 8; i++)
        for (struct entry *e = buckets[i], *next; e; e = next) {
            printf("%d %s %d\n", i, e->word, e->count);
            next = e->next;
            free(e);
        }
    return 0;
}
