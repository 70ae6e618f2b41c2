// check: misaligned
#include <stdint.h>
_Alignas(8) char bytes[16];
int main(void) {
  uint32_t *word = (uint32_t *)(bytes + 1);
  *word = 1;
  return 0;
}
