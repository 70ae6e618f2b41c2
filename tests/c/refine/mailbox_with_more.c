// No reference for mailbox.c: taking shows more.
#include <fencepost.h>

static int message, taken;

FP_OPERATION(put) { message = 1 + fp_argument("which", 2); }

FP_OPERATION(take) {
    fp_result("found", message != 0);
    fp_result("message", message);
    fp_result("taken", ++taken);
}
