#include <stdio.h>
#include <stdlib.h>
static unsigned sieve(unsigned n) {
  unsigned char *composite = calloc(n + 1, 1);
  unsigned count = 0;
  for (unsigned i = 2; i <= n; i++) {
    if (composite[i]) continue;
    count++;
    for (unsigned j = i * 2; j <= n; j += i) composite[j] = 1;
  }
  free(composite);
  return count;
}
static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static unsigned long mix(unsigned long n) { unsigned long h = 1; for (unsigned long i = 0; i < n; i++) { h ^= i; h *= 0x9e3779b97f4a7c15ul; h ^= h >> 29; } return h; }
int main(void) {
  printf("%u\n", sieve(2000000));
  printf("%u\n", fib(27));
  printf("%lu\n", mix(5000000));
  return 0;
}
