// Caesar and Vigenère, there and back.
#include <stdio.h>
#include <string.h>

static char shift(char c, int by) {
    char base = c >= 'a' && c <= 'z' ? 'a' : c >= 'A' && c <= 'Z' ? 'A' : 0;
    return base ? (char)(base + (c - base + by + 26) % 26) : c;
}
static void vigenere(char *text, const char *key, int direction) {
    size_t n = strlen(key);
    for (size_t i = 0; text[i]; i++)
        text[i] = shift(text[i], direction * (key[i % n] - 'a'));
}

int main(void) {
    char text[] = "Attack at Dawn, or else!";
    vigenere(text, "lemon", 1);
    puts(text);
    vigenere(text, "lemon", -1);
    puts(text);
    for (char *p = text; *p; p++)
        putchar(shift(*p, 13));
    putchar('\n');
    return 0;
}
