// strncpy fills up with zeros, and ends nothing when there is no room.
#include <stdio.h>
#include <string.h>

int main(void) {
    for (size_t n = 0; n <= 7; n++) {
        char buffer[8];
        memset(buffer, '#', sizeof buffer);
        strncpy(buffer, "word", n);
        for (int i = 0; i < 8; i++)
            putchar(buffer[i] ? buffer[i] : '0');
        putchar('\n');
    }
    return 0;
}
