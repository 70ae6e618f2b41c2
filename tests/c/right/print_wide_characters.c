// check: holds
// Wide characters that the C locale has are printed as their bytes.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

int main(void) {
    char text[32];
    assert(snprintf(text, sizeof text, "[%ls|%4lc]", L"wide", (wint_t)L'x') == 11);
    assert(strcmp(text, "[wide|   x]") == 0);
    assert(snprintf(text, sizeof text, "%.2ls", L"wide") == 2);
    assert(strcmp(text, "wi") == 0);
    return 0;
}
