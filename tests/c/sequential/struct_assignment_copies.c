// Assignment copies; chains, self-assignment and elements.
#include <stdio.h>

struct item { int key; char tag; double weight; };

int main(void) {
    struct item a = {1, 'a', 0.5}, b = {2, 'b', 1.5}, c;
    c = a = b;
    b.key = 7;
    printf("%d %c %g, %d, %d\n", a.key, a.tag, a.weight, b.key, c.key);
    struct item list[3] = {a, b, c}, *p = list;
    list[0] = list[1];
    *p++ = c;
    p->tag++;
    list[2] = *&list[2];
    struct item t = list[1];
    list[1] = list[2];
    list[2] = t;
    for (int i = 0; i < 3; i++)
        printf("%d %c %g\n", list[i].key, list[i].tag, list[i].weight);
    return 0;
}
