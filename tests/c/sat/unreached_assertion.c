#include <assert.h>
#include <stdatomic.h>
static atomic_int x;
static void check(int value) {
    if (value == 2)
        assert(value != 2);
    assert(value == 0);
}
int main(void) { check(x); }
