// The library's qsort and bsearch call back.
#include <stdio.h>
#include <stdlib.h>

struct entry { int key; char name; };

static int compare(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

int main(void) {
    struct entry table[20];
    for (int i = 0; i < 20; i++)
        table[i] = (struct entry){i * 37 % 53, (char)('a' + i)};
    qsort(table, 20, sizeof *table, compare);
    for (int i = 0; i < 20; i++)
        printf("%d%c ", table[i].key, table[i].name);
    putchar('\n');
    for (int key = 0; key < 53; key += 9) {
        struct entry wanted = {key, 0}, *found = bsearch(&wanted, table, 20, sizeof *table, compare);
        printf("%d %c\n", key, found ? found->name : '-');
    }
    return 0;
}
