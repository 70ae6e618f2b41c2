#include "queue.h"

int main(void) {
    fp_operation_e();
    return 0;
}
