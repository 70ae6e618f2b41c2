// check: undecided
// A field this wide is right, but not supported: that is no violation.
#include <stdio.h>

int main(void) {
    return printf("%300000000d", 1) == 0;
}
