// check: misuse
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int f;
void *w(void *x) { pthread_mutex_lock(&m); f = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&c); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);
 pthread_mutex_lock(&m); while (!f) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
 pthread_cond_destroy(&c); pthread_join(t, 0); }
