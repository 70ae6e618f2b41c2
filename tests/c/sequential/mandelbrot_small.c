// A tiny picture, drawn with doubles.
#include <stdio.h>

int main(void) {
    for (int row = -5; row <= 5; row++) {
        for (int column = -15; column <= 7; column++) {
            double cr = column / 7.5, ci = row / 4.5, r = 0, i = 0;
            int steps = 0;
            while (steps < 15 && r * r + i * i < 4) {
                double next = r * r - i * i + cr;
                i = 2 * r * i + ci;
                r = next;
                steps++;
            }
            putchar(" .:-=+*#%@&$XOM8"[steps]);
        }
        putchar('\n');
    }
    return 0;
}
