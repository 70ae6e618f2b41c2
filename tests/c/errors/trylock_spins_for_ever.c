// check: endless
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *spinner(void *argument)
{
    while (pthread_mutex_trylock(&mutex) != 0)
        ; /* main never unlocks */
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, spinner, 0);
    pthread_join(thread, 0);
    return 0;
}
