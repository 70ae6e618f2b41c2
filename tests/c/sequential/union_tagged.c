// A variant type with an evaluator.
#include <stdio.h>

struct expression {
    enum { NUMBER, SUM, PRODUCT, NEGATION } kind;
    union {
        double number;
        struct { const struct expression *left, *right; } binary;
        const struct expression *operand;
    } as;
};

static double evaluate(const struct expression *e) {
    switch (e->kind) {
    case NUMBER: return e->as.number;
    case SUM: return evaluate(e->as.binary.left) + evaluate(e->as.binary.right);
    case PRODUCT: return evaluate(e->as.binary.left) * evaluate(e->as.binary.right);
    case NEGATION: return -evaluate(e->as.operand);
    }
    return 0;
}

int main(void) {
    struct expression two = {NUMBER, {.number = 2}}, half = {NUMBER, {.number = 0.5}};
    struct expression sum = {SUM, {.binary = {&two, &half}}};
    struct expression minus = {NEGATION, {.operand = &sum}};
    struct expression product = {PRODUCT, {.binary = {&minus, &sum}}};
    printf("%g %g %g\n", evaluate(&sum), evaluate(&minus), evaluate(&product));
    return 0;
}
