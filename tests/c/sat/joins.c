/* Joins that deadlock, fail at once, or do neither. */
#include <assert.h>
#include <pthread.h>
static pthread_t first, second;
static void *ends(void *arg) { return arg; }
static void *joins_first(void *arg) {
    pthread_join(first, 0);
    return arg;
}
int main(void) {
#if WHAT == 0 /* nothing waits */
    pthread_create(&first, 0, ends, 0);
    pthread_join(first, 0);
#elif WHAT == 1 /* there is no such thread */
    pthread_join(first, 0);
#elif WHAT == 2 /* a thread joins itself: the call fails */
    pthread_join(pthread_self(), 0);
    assert(0);
#elif WHAT == 3 /* two threads join each other */
    first = pthread_self();
    pthread_create(&second, 0, joins_first, 0);
    pthread_join(second, 0);
#endif
    return 0;
}
