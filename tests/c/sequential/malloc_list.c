// A linked list: push, reverse, remove, free.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    return n;
}
static struct node *reverse(struct node *list) {
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}
static void remove_multiples(struct node **at, int of) {
    while (*at)
        if ((*at)->value % of == 0) {
            struct node *gone = *at;
            *at = gone->next;
            free(gone);
        } else
            at = &(*at)->next;
}
static void show(const struct node *list) {
    for (; list; list = list->next)
        printf("%d ", list->value);
    putchar('\n');
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 12; i++)
        list = push(list, i * 5 % 12);
    show(list);
    list = reverse(list);
    show(list);
    remove_multiples(&list, 3);
    show(list);
    remove_multiples(&list, 1);
    printf("%d\n", list == NULL);
    return 0;
}
