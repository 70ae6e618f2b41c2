//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DARGUMENT
//: sc,tso,pso: violated: -DFRAME
//: sc,tso,pso: violated: -DEXITS
// What a thread or a call has to itself ends with it, also if it was the argument of a new thread.
#include <pthread.h>

static pthread_t other;
static int *_Atomic place;
static _Thread_local int own;

static void *writes(void *argument) {
    *(int *)argument = 1;
    return 0;
}

static void *exits(void *unused) {
    int local = 1;
    pthread_exit(&local);
}

static void *worker(void *unused) {
#ifdef ARGUMENT
    pthread_create(&other, 0, writes, &own);
#else
    place = &own;
#endif
    return 0;
}

static void call(void) {
    int local = 0;
    pthread_create(&other, 0, writes, &local);
}

int main(void) {
#if defined EXITS
    void *result;
    pthread_create(&other, 0, exits, 0);
    pthread_join(other, &result);
    return *(int *)result;
#elif defined FRAME
    call();
    pthread_join(other, 0);
#else
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
#ifdef ARGUMENT
    pthread_join(other, 0);
#else
    return *place;
#endif
#endif
    return 0;
}
