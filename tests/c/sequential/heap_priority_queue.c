// A binary heap of jobs, by value.
#include <stdio.h>

struct job { int priority; char name; };
static struct job heap[32];
static int count;

static void add(struct job j) {
    int i = count++;
    for (; i > 0 && heap[(i - 1) / 2].priority < j.priority; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = j;
}
static struct job pop(void) {
    struct job top = heap[0], last = heap[--count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && heap[child + 1].priority > heap[child].priority)
            child++;
        if (last.priority >= heap[child].priority)
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

int main(void) {
    for (int i = 0; i < 20; i++)
        add((struct job){i * 13 % 31, (char)('a' + i)});
    while (count) {
        struct job j = pop();
        printf("%c%d ", j.name, j.priority);
    }
    putchar('\n');
    return 0;
}
