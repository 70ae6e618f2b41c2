// check: holds
#include <assert.h>
static char big[100000000];
int main(void) {
    big[99999999] = 1;
    assert(big[99999999] == 1 && big[0] == 0);
}
