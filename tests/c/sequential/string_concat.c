// strcat and strncat.
#include <stdio.h>
#include <string.h>

int main(void) {
    char path[64] = "";
    const char *parts[] = {"usr", "local", "share"};
    for (int i = 0; i < 3; i++) {
        strcat(path, "/");
        strcat(path, parts[i]);
    }
    puts(path);
    char limited[12] = "ab";
    strncat(limited, "cdefghijklmnop", 5);
    strncat(limited, "xy", 5);
    printf("%s %zu\n", limited, strlen(limited));
    return 0;
}
