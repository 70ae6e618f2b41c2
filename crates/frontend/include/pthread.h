/*
 * pthread.h: the system's, but for cleanup handlers, which its macros keep with setjmp. There is no cancellation, so
 * handlers run where they are popped, or where pthread_exit ends the thread.
 */
#pragma GCC system_header
#include_next <pthread.h>

#ifndef FENCEPOST_PTHREAD_H
#define FENCEPOST_PTHREAD_H

struct __fencepost_cleanup {
    void (*routine)(void *);
    void *argument;
    struct __fencepost_cleanup *next;
};

#ifdef __cplusplus
extern "C" {
#endif
void __fencepost_cleanup_push(struct __fencepost_cleanup *cleanup);
void __fencepost_cleanup_pop(struct __fencepost_cleanup *cleanup, int run);
#ifdef __cplusplus
}
#endif

#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define pthread_cleanup_push(routine, argument)                                                \
    do {                                                                                       \
        struct __fencepost_cleanup cleanup_ = {(routine), (argument), 0};                      \
        __fencepost_cleanup_push(&cleanup_);                                                   \
        do {
#define pthread_cleanup_pop(run)                                                               \
    }                                                                                          \
    while (0)                                                                                  \
        ;                                                                                      \
    __fencepost_cleanup_pop(&cleanup_, (run));                                                 \
    }                                                                                          \
    while (0)

#endif
