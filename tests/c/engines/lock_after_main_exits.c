//: sc,tso,pso: holds
//: sc,tso,pso: holds: -DRETURN
// A thread waits for a lock with a store in its buffer; by the time that the store leaves, it is the last thread, and the lock free.
#include <pthread.h>
static int cell, lock;
static void *store_and_lock(void *a) {
    int expected = 0;
    __atomic_store_n(&cell, 1, __ATOMIC_RELAXED);
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_RELAXED)) ;
    __atomic_compare_exchange_n(&cell, &expected, 2, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    __atomic_store_n(&lock, 0, __ATOMIC_RELAXED);
    return a;
}
static void *lock_only(void *a) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_RELAXED)) ;
    __atomic_store_n(&lock, 0, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, store_and_lock, 0);
    pthread_create(&b, 0, lock_only, 0);
#ifndef RETURN
    pthread_exit(0);
#endif
}
