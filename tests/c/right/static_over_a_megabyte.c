// check: holds
#include <assert.h>
static char big[1048577];
int main(void) { big[1048576] = 1; assert(big[1048576] == 1 && big[0] == 0); }
