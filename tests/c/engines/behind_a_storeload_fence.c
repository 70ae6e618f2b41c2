//: sc,tso: holds: -DBETWEEN=sem_destroy(&semaphore)
//: pso,relaxed: violated: -DBETWEEN=sem_destroy(&semaphore)
//: sc,tso: holds: -DBETWEEN=sem_init(&semaphore,0,1)
//: pso,relaxed: violated: -DBETWEEN=sem_init(&semaphore,0,1)
//: sc,tso: holds: -DBETWEEN=pthread_spin_destroy(&spin)
//: pso,relaxed: violated: -DBETWEEN=pthread_spin_destroy(&spin)
//: pso,relaxed: violated: -DBETWEEN=pthread_spin_init(&spin,0)
//: sc,tso: holds: -DBETWEEN=pthread_rwlock_destroy(&shared)
//: pso,relaxed: violated: -DBETWEEN=pthread_rwlock_destroy(&shared)
//: pso,relaxed: violated: -DBETWEEN=pthread_rwlock_init(&shared,NULL)
//: pso,relaxed: violated: -DBETWEEN=pthread_cond_init(&condition,NULL)
//: pso,relaxed: violated: -DBETWEEN=pthread_barrier_init(&barrier,NULL,2)
//: pso: violated: -DBETWEEN=memset(&number,1,sizeof(number))
//: sc,tso,pso: holds: -DBETWEEN=sem_getvalue(&semaphore,&number)
//: sc,tso,pso: holds: -DBETWEEN=pthread_mutex_destroy(&mutex)
//: sc,tso,pso: holds: -DBETWEEN=(void)own[1]
//: sc,tso,pso: holds: -DLOCAL -DBETWEEN=(void)own[1]
//: pso: violated: -DCONSTANT -DBETWEEN=(void)own[1]
//: pso: violated: -DBETWEEN=own[1]=1
//: pso: violated: -DLOCAL -DBETWEEN=own[1]=1
// A StoreLoad fence (here that of a seq_cst store) holds loads back, and with them the stores behind them: also a load of
// memory that no other thread uses. What makes no load lets a store behind it overtake the store before the fence: a
// store, the load of a constant, which is as good as a literal, and calls that only store or end an object.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
static atomic_int data, flag;
static sem_t semaphore;
static pthread_spinlock_t spin;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number;
#if defined CONSTANT
static const volatile int own[2] = {1, 2};
#elif !defined LOCAL
static volatile int own[2];
#endif
static void *write_both(void *unused) {
#ifdef LOCAL
    volatile int own[2] = {1, 2};
#endif
    atomic_store_explicit(&data, 1, memory_order_seq_cst);
    BETWEEN;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}
static void *read_both(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_seq_cst))
        assert(atomic_load_explicit(&data, memory_order_seq_cst));
    return unused;
}
int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_both, NULL);
    pthread_create(&reader, NULL, read_both, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
}
