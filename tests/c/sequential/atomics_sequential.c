// Atomic operations by one thread.
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    atomic_int a = 5;
    printf("%d ", atomic_fetch_add(&a, 3));
    printf("%d ", atomic_fetch_sub(&a, 1));
    printf("%d ", atomic_fetch_or(&a, 8));
    printf("%d ", atomic_fetch_and(&a, 12));
    printf("%d ", atomic_fetch_xor(&a, 5));
    printf("%d ", atomic_exchange(&a, 100));
    printf("%d\n", atomic_load(&a));
    a++;
    a -= 50;
    a *= 2;
    printf("%d ", a);
    int expected = 1;
    printf("%d ", atomic_compare_exchange_strong(&a, &expected, 7));
    printf("%d ", expected);
    printf("%d ", atomic_compare_exchange_strong(&a, &expected, 7));
    atomic_thread_fence(memory_order_seq_cst);
    printf("%d\n", atomic_load_explicit(&a, memory_order_relaxed));
    atomic_flag flag = ATOMIC_FLAG_INIT;
    printf("%d ", atomic_flag_test_and_set(&flag));
    printf("%d ", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    return 0;
}
