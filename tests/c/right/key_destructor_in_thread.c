// check: holds
#include <pthread.h>
pthread_key_t k;
static void d(void *p) { (void)p; }
static void *g(void *p) { pthread_setspecific(k, &k); return p; }
int main(void) {
    pthread_t t;
    pthread_key_create(&k, d);
    pthread_create(&t, 0, g, 0);
    pthread_join(t, 0);
    return 0;
}
