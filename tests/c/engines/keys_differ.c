//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DSAME
// Every key is another one.
#include <assert.h>
#include <pthread.h>
static pthread_key_t first, second;

int main(void) {
    pthread_key_create(&first, 0);
    pthread_key_create(&second, 0);
#ifdef SAME
    assert(first == second);
#else
    assert(first != second);
#endif
    return 0;
}
