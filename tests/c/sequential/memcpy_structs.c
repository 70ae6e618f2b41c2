// Copying objects as bytes.
#include <stdio.h>
#include <string.h>

struct record { char name[10]; double weight; int *link; };

int main(void) {
    int target = 42;
    struct record a = {"first", 2.5, &target}, b;
    memcpy(&b, &a, sizeof a);
    unsigned char bytes[sizeof a];
    memcpy(bytes, &b, sizeof b);
    struct record c[2];
    memcpy(&c[1], bytes, sizeof bytes);
    *c[1].link += 1;
    printf("%s %g %d %d\n", c[1].name, c[1].weight, target, c[1].link == a.link);
    int numbers[6] = {1, 2, 3, 4, 5, 6};
    memcpy(numbers + 3, numbers, 3 * sizeof *numbers);
    for (int i = 0; i < 6; i++)
        printf("%d ", numbers[i]);
    int *p = &target, *q;
    memcpy(&q, &p, sizeof p);
    printf("%d\n", *q);
    return 0;
}
