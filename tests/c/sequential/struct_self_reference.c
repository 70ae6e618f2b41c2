// A list in static storage, with pointers in initialisers.
#include <stdio.h>

struct node { int value; struct node *next; };

static struct node third = {3, 0}, second = {2, &third}, first = {1, &second};

int main(void) {
    for (struct node *n = &first; n; n = n->next)
        printf("%d ", n->value);
    second.next = &(struct node){10, &third};
    first.next->next->next->value *= 7;
    for (struct node *n = &first; n != NULL; n = n->next)
        printf("%d ", n->value);
    putchar('\n');
    return 0;
}
