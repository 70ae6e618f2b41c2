// Lists handed on, by value and by pointer, and to vsnprintf and vprintf.
#include <stdarg.h>
#include <stdio.h>

static int take_two(va_list *list) { return va_arg(*list, int) * va_arg(*list, int); }

static int products(int count, ...) {
    va_list list;
    va_start(list, count);
    int sum = 0;
    while (count-- > 0)
        sum += take_two(&list);
    va_end(list);
    return sum;
}

static int format(char *buffer, size_t size, const char *text, ...) {
    va_list list;
    va_start(list, text);
    int length = vsnprintf(buffer, size, text, list);
    va_end(list);
    return length;
}

static void say(const char *text, ...) {
    va_list list;
    va_start(list, text);
    vprintf(text, list);
    va_end(list);
}

int main(void) {
    char buffer[24];
    int length = format(buffer, sizeof buffer, "%d %s %.2f %c", 42, "words", 2.5, '!');
    say("%s %d %d\n", buffer, length, products(4, 1, 2, 3, 4, 5, 6, 7, 8));
    length = format(buffer, sizeof buffer, "%030d", 7);
    say("[%s] %d\n", buffer, length);
    return 0;
}
