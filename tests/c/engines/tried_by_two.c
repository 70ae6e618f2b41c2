//: sc,tso,pso,rmo,relaxed: holds: -DSEMAPHORE
//: sc,tso,pso,rmo,relaxed: holds: -DMUTEX
//: sc,tso,pso,rmo,relaxed: holds: -DSPIN
//: sc,tso,pso,rmo,relaxed: violated: -DSEMAPHORE -DBOTH
//: sc,tso,pso,rmo,relaxed: violated: -DMUTEX -DBOTH
//: sc,tso,pso,rmo,relaxed: violated: -DSPIN -DBOTH
// Two threads try to take what one of them can have: the other is told why not, and changes nothing.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#if defined SEMAPHORE
#define REFUSED -1
static sem_t object;
static int try(void) { return sem_trywait(&object); }
static void give_back(void) { sem_post(&object); }
#elif defined MUTEX
#define REFUSED EBUSY
static pthread_mutex_t object;
static int try(void) { return pthread_mutex_trylock(&object); }
static void give_back(void) { pthread_mutex_unlock(&object); }
#else
#define REFUSED EBUSY
static pthread_spinlock_t object;
static int try(void) { return pthread_spin_trylock(&object); }
static void give_back(void) { pthread_spin_unlock(&object); }
#endif
static int first;

static void *tries(void *unused) {
    first = try();
    return unused;
}

int main(void) {
    pthread_t thread;
#if defined SEMAPHORE
    sem_init(&object, 0, 1);
#elif defined MUTEX
    pthread_mutex_init(&object, 0);
#else
    pthread_spin_init(&object, 0);
#endif
    pthread_create(&thread, 0, tries, 0);
    int second = try();
    pthread_join(thread, 0);
#ifdef BOTH
    assert(second);
#else
    assert(first ? first == REFUSED && !second : second == REFUSED);
    assert(try() == REFUSED);
    if (!second) {
        give_back();
        assert(!try());
        assert(try() == REFUSED);
    }
#endif
    return 0;
}
