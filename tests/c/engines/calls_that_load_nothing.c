//: sc,tso: holds: -DCALL=sem_destroy(&semaphore)
//: pso,relaxed: violated: -DCALL=sem_destroy(&semaphore)
//: sc,tso: holds: -DCALL=sem_init(&semaphore,0,1)
//: pso,relaxed: violated: -DCALL=sem_init(&semaphore,0,1)
//: sc,tso: holds: -DCALL=pthread_spin_destroy(&spin)
//: pso,relaxed: violated: -DCALL=pthread_spin_destroy(&spin)
//: pso,relaxed: violated: -DCALL=pthread_spin_init(&spin,0)
//: sc,tso: holds: -DCALL=pthread_rwlock_destroy(&shared)
//: pso,relaxed: violated: -DCALL=pthread_rwlock_destroy(&shared)
//: pso,relaxed: violated: -DCALL=pthread_rwlock_init(&shared,NULL)
//: pso,relaxed: violated: -DCALL=pthread_cond_init(&condition,NULL)
//: pso,relaxed: violated: -DCALL=pthread_barrier_init(&barrier,NULL,2)
//: pso: violated: -DCALL=memset(&number,1,sizeof(number))
//: sc,tso,pso: holds: -DCALL=sem_getvalue(&semaphore,&number)
//: sc,tso,pso: holds: -DCALL=pthread_mutex_destroy(&mutex)
// A StoreLoad fence (here that of a seq_cst store) holds loads back. These calls make none, so that a store
// behind them may overtake the store before the fence.
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
static void *write_both(void *unused) {
    atomic_store_explicit(&data, 1, memory_order_seq_cst);
    CALL;
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
