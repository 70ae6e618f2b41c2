//: sc,tso,pso: holds
//: sc,tso,pso: holds: -DCLH
//: sc,tso,pso: violated: -DLATE
//: sc,tso,pso: violated: -DCLH -DEARLY
// Locks whose nodes are initialised by their thread alone, before anybody else can see them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int counter;
#ifdef CLH
struct node { atomic_int locked; };
static struct node first;
static _Atomic(struct node *) tail = &first;
static void *run(void *a) {
    struct node *me = malloc(sizeof *me), *before;
    atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
    before = atomic_exchange(&tail, me);
    while (atomic_load_explicit(&before->locked, memory_order_acquire)) ;
    counter++;
    atomic_store_explicit(&me->locked, 0, memory_order_release);
#ifdef EARLY
    free(me);                    /* the next one may still look */
#else
    if (before != &first) free(before);
#endif
    return a;
}
#else
struct node { _Atomic(struct node *) next; atomic_int locked; };
static _Atomic(struct node *) tail;
static void *run(void *a) {
    struct node me, *other, *expected = &me;
    atomic_store_explicit(&me.next, 0, memory_order_relaxed);
    atomic_store_explicit(&me.locked, 1, memory_order_relaxed);
    other = atomic_exchange(&tail, &me);
    if (other) {
        atomic_store_explicit(&other->next, &me, memory_order_release);
#ifdef LATE
        atomic_store_explicit(&me.locked, 1, memory_order_relaxed);   /* the lock may have been given already */
#endif
        while (atomic_load_explicit(&me.locked, memory_order_acquire)) ;
    }
    counter++;
    other = atomic_load_explicit(&me.next, memory_order_acquire);
    if (other || !atomic_compare_exchange_strong(&tail, &expected, 0)) {
        while (!(other = atomic_load_explicit(&me.next, memory_order_acquire))) ;
        atomic_store_explicit(&other->locked, 0, memory_order_release);
    }
    return a;
}
#endif
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
}
