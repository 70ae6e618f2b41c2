// A small atomic struct is loaded, stored and exchanged whole.
#include <stdatomic.h>
#include <stdio.h>

struct pair { int a, b; };

int main(void) {
    _Atomic struct pair shared ;
    atomic_init(&shared, ((struct pair){1, 2}));
    struct pair p = atomic_load(&shared);
    printf("%d %d\n", p.a, p.b);
    atomic_store(&shared, ((struct pair){3, 4}));
    struct pair expected = {3, 4}, wanted = {5, 6};
    printf("%d ", atomic_compare_exchange_strong(&shared, &expected, wanted));
    p = atomic_exchange(&shared, ((struct pair){7, 8}));
    printf("%d %d\n", p.a, p.b);
    return 0;
}
