// Roman numerals there and back.
#include <stdio.h>
#include <string.h>

static const struct { int value; char text[3]; } table[] = {
    {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
    {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};

int main(void) {
    for (int n = 1; n < 4000; n = n * 2 + 7) {
        char text[20] = "";
        int rest = n, back = 0;
        for (int i = 0; i < 13; i++)
            for (; rest >= table[i].value; rest -= table[i].value)
                strcat(text, table[i].text);
        const char *p = text;
        for (int i = 0; i < 13; i++)
            while (*p && strncmp(p, table[i].text, strlen(table[i].text)) == 0)
                back += table[i].value, p += strlen(table[i].text);
        printf("%d %s %d\n", n, text, back);
    }
    return 0;
}
