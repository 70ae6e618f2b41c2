// Recursion that carries structs up and down.
#include <stdio.h>

struct result { int depth; long sum; double product; };

static struct result walk(int from, int to, struct result so_far) {
    if (from == to) {
        so_far.depth++;
        so_far.sum += from * from;
        so_far.product *= 1 + from / 16.0;
        return so_far;
    }
    int middle = (from + to) / 2;
    struct result left = walk(from, middle, so_far), right = walk(middle + 1, to, left);
    right.depth = (left.depth > right.depth ? left.depth : right.depth) + 1;
    return right;
}

int main(void) {
    struct result r = walk(1, 37, (struct result){0, 0, 1});
    printf("%d %ld %.17g\n", r.depth, r.sum, r.product);
    return 0;
}
