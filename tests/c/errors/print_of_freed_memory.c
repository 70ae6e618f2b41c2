// check: dangling
// What is printed may be freed between the unlock and the call: printing is a step of its own.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char *text;
void *printer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  char *mine = text;
  pthread_mutex_unlock(&m);
  if (mine)
    puts(mine);
  return 0;
}
int main(void) {
  pthread_t t;
  text = strdup("text");
  pthread_create(&t, 0, printer, 0);
  pthread_mutex_lock(&m);
  char *old = text;
  text = 0;
  pthread_mutex_unlock(&m);
  free(old);
  pthread_join(t, 0);
  return 0;
}
