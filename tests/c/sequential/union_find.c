// Disjoint sets with path halving.
#include <stdio.h>

static int parent[20], size[20];

static int find(int x) {
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}
static int join(int a, int b) {
    a = find(a), b = find(b);
    if (a == b)
        return 0;
    if (size[a] < size[b]) {
        int t = a;
        a = b, b = t;
    }
    parent[b] = a;
    size[a] += size[b];
    return 1;
}

int main(void) {
    for (int i = 0; i < 20; i++)
        parent[i] = i, size[i] = 1;
    for (int i = 0; i < 20; i++)
        printf("%d ", join(i, i * 3 % 20));
    for (int i = 0; i < 20; i++)
        printf("%d:%d ", find(i), size[find(i)]);
    putchar('\n');
    return 0;
}
