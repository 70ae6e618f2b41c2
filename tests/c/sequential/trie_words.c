// A trie in an arena with indices.
#include <stdio.h>

static struct { unsigned short child[26]; unsigned char ends : 1, depth : 7; } nodes[100];
static int used = 1;

static void add(const char *word) {
    int at = 0;
    for (; *word; word++) {
        unsigned short *child = &nodes[at].child[*word - 'a'];
        if (!*child) {
            nodes[used].depth = (unsigned char)(nodes[at].depth + 1) & 0x7f;
            *child = (unsigned short)used++;
        }
        at = *child;
    }
    nodes[at].ends = 1;
}
static void list(int at, char *prefix) {
    if (nodes[at].ends)
        printf("%.*s ", nodes[at].depth, prefix);
    for (int c = 0; c < 26; c++)
        if (nodes[at].child[c]) {
            prefix[nodes[at].depth] = (char)('a' + c);
            list(nodes[at].child[c], prefix);
        }
}

int main(void) {
    const char *words[] = {"to", "tea", "ted", "ten", "inn", "in", "i", "a", "tent"};
    for (int i = 0; i < 9; i++)
        add(words[i]);
    char prefix[16];
    list(0, prefix);
    printf("%d\n", used);
    return 0;
}
