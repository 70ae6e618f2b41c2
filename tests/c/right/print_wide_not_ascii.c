// check: undecided
// What the C locale makes of other characters is not supported: that is no violation.
#include <stdio.h>
#include <wchar.h>

int main(void) {
    return printf("%ls", L"\u00e9") == 0;
}
