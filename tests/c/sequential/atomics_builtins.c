// The __sync and __atomic families.
#include <stdio.h>

int main(void) {
    int x = 10;
    long y = 1;
    printf("%d ", __sync_fetch_and_add(&x, 5));
    printf("%d ", __sync_sub_and_fetch(&x, 3));
    printf("%d ", __sync_val_compare_and_swap(&x, 12, 40));
    printf("%d ", __sync_bool_compare_and_swap(&x, 12, 50));
    printf("%d\n", x);
    __sync_synchronize();
    printf("%ld ", __atomic_add_fetch(&y, 41, __ATOMIC_SEQ_CST));
    printf("%ld ", __atomic_fetch_nand(&y, 15, __ATOMIC_RELAXED));
    printf("%ld ", __atomic_exchange_n(&y, 6, __ATOMIC_ACQUIRE));
    printf("%ld ", __atomic_load_n(&y, __ATOMIC_CONSUME));
    long old = 6;
    printf("%d ", __atomic_compare_exchange_n(&y, &old, 9, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    __atomic_store_n(&x, 77, __ATOMIC_RELEASE);
    printf("%ld %d\n", y, x);
    return 0;
}
