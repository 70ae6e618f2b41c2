// check: deadlock
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
void *w(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&a); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_exit(0); }
