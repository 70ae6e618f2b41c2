// Callbacks with a context pointer.
#include <stdio.h>

typedef void (*visitor)(void *context, int value);

static void visit(const int *numbers, int count, visitor f, void *context) {
    for (int i = 0; i < count; i++)
        f(context, numbers[i]);
}
static void add_up(void *context, int value) { *(long *)context += value; }
struct range { int low, high; };
static void widen(void *context, int value) {
    struct range *r = context;
    if (value < r->low)
        r->low = value;
    if (value > r->high)
        r->high = value;
}
static void show(void *context, int value) { printf("%s%d", (const char *)context, value); }

int main(void) {
    int numbers[] = {5, -2, 9, 0, 14, -7};
    long sum = 0;
    struct range r = {0, 0};
    visit(numbers, 6, add_up, &sum);
    visit(numbers, 6, widen, &r);
    visit(numbers, 6, show, ", ");
    printf("\n%ld %d %d\n", sum, r.low, r.high);
    return 0;
}
