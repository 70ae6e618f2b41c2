// What mailbox.c should look like: each operation happens in one step.
#include <fencepost.h>

static int message;

FP_OPERATION(take) {
    fp_result("message", message);
    fp_result("found", message != 0);
}

FP_OPERATION(put) { message = 1 + fp_argument("which", 2); }
