// Joined literals, escapes and shared storage.
#include <stdio.h>
#include <string.h>

int main(void) {
    const char joined[] = "one " "two "
                          "three";
    const char zeros[] = "a\0b\0c";
    printf("%s %zu\n", joined, sizeof joined);
    printf("%zu %zu %s %s\n", sizeof zeros, strlen(zeros), zeros + 2, zeros + 4);
    printf("tab\there \"quoted\" back\\slash \x41\102\n");
    printf("%c%c\n", "index"[2], *("offset" + 3));
    char exact[3] = "xyz";
    printf("%.3s %.2s\n", exact, exact);
    return 0;
}
