/*
 * fencepost_record.h: records what a running C program does to shared memory, as an event
 * log for `fencepost monitor`.
 *
 * Compile with `-pthread`, `-I` and the directory of this file, and run the program with
 * FENCEPOST_LOG=FILE in the environment, or call fpr_open(FILE). Without either nothing is
 * recorded. Needs C11, clang or gcc, and POSIX threads; any number of files of a program may
 * include it.
 *
 * An access and its row are made under one lock, so the rows stand in the order of the
 * execution, which is sequentially consistent. All accesses to a place that threads share
 * have to be recorded; they need not be of atomic types.
 */
#ifndef FENCEPOST_RECORD_H
#define FENCEPOST_RECORD_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads *place. */
#define fpr_load(place)                                                        \
    __extension__({                                                            \
        __auto_type fpr_place = (place);                                       \
        fpr_enter();                                                           \
        __auto_type fpr_value = *fpr_place;                                    \
        fpr_leave("load", (const void *)fpr_place, __FILE__, __LINE__);        \
        fpr_value;                                                             \
    })

/* Writes *place. */
#define fpr_store(place, value)                                                \
    __extension__({                                                            \
        __auto_type fpr_place = (place);                                       \
        __auto_type fpr_new = (value);                                         \
        fpr_enter();                                                           \
        *fpr_place = fpr_new;                                                  \
        fpr_leave("store", (const void *)fpr_place, __FILE__, __LINE__);       \
    })

/* Writes *place, and gives what was there. */
#define fpr_exchange(place, value)                                             \
    __extension__({                                                            \
        __auto_type fpr_place = (place);                                       \
        __auto_type fpr_new = (value);                                         \
        fpr_enter();                                                           \
        __auto_type fpr_old = *fpr_place;                                      \
        *fpr_place = fpr_new;                                                  \
        fpr_leave("interlocked", (const void *)fpr_place, __FILE__, __LINE__); \
        fpr_old;                                                               \
    })

/* Adds to *place, and gives what was there. */
#define fpr_fetch_add(place, value)                                            \
    __extension__({                                                            \
        __auto_type fpr_place = (place);                                       \
        __auto_type fpr_more = (value);                                        \
        fpr_enter();                                                           \
        __auto_type fpr_old = *fpr_place;                                      \
        *fpr_place = fpr_old + fpr_more;                                       \
        fpr_leave("interlocked", (const void *)fpr_place, __FILE__, __LINE__); \
        fpr_old;                                                               \
    })

/* Writes *place if it is *expected, and gives 1; else puts what is there into *expected, and
 * gives 0. */
#define fpr_cas(place, expected, value)                                        \
    __extension__({                                                            \
        __auto_type fpr_place = (place);                                       \
        __auto_type fpr_expected = (expected);                                 \
        __auto_type fpr_new = (value);                                         \
        fpr_enter();                                                           \
        __auto_type fpr_old = *fpr_place;                                      \
        int fpr_same = fpr_old == *fpr_expected;                               \
        if (fpr_same)                                                          \
            *fpr_place = fpr_new;                                              \
        else                                                                   \
            *fpr_expected = fpr_old;                                           \
        fpr_leave(fpr_same ? "interlocked" : "failed-cas",                     \
                  (const void *)fpr_place, __FILE__, __LINE__);                \
        fpr_same;                                                              \
    })

/* Fences: of everything, of stores before stores, of stores before loads. */
#define fpr_fence() fpr_row("fence", NULL, __FILE__, __LINE__)
#define fpr_store_store_fence()                                                \
    fpr_row("store-store-fence", NULL, __FILE__, __LINE__)
#define fpr_store_load_fence()                                                 \
    fpr_row("store-load-fence", NULL, __FILE__, __LINE__)

/* Starts and joins a thread, as pthread_create and pthread_join do. */
#define fpr_create(thread, attributes, function, argument)                     \
    fpr_start_thread(thread, attributes, function, argument, __FILE__, __LINE__)
#define fpr_join(thread, result)                                               \
    fpr_join_thread(thread, result, __FILE__, __LINE__)

/* What follows serves the macros. Weak functions stand once in a program, however many files
 * include this one. */
#define FPR_ONCE __attribute__((weak, unused))

/* A thread that was started here. */
struct fpr_thread {
    pthread_t handle;
    unsigned number;
    void *(*function)(void *);
    void *argument;
    struct fpr_thread *next;
};

struct fpr_recorder {
    pthread_mutex_t lock;
    FILE *log;
    int opened;
    unsigned threads;
    struct fpr_thread *started;
};

FPR_ONCE struct fpr_recorder *fpr_recorder(void) {
    static struct fpr_recorder recorder = {PTHREAD_MUTEX_INITIALIZER, NULL, 0, 0, NULL};
    return &recorder;
}

/* The number of the calling thread; 0 until it has one. */
FPR_ONCE unsigned *fpr_number(void) {
    static _Thread_local unsigned number;
    return &number;
}

/* Ends the recording; the end of the program does, too. */
FPR_ONCE void fpr_close(void) {
    struct fpr_recorder *recorder = fpr_recorder();
    pthread_mutex_lock(&recorder->lock);
    if (recorder->log != NULL && fclose(recorder->log) != 0)
        perror("fencepost_record.h: the log is not complete");
    recorder->log = NULL;
    pthread_mutex_unlock(&recorder->lock);
}

/* Opens the log; the lock is held. */
FPR_ONCE void fpr_begin(const char *path) {
    struct fpr_recorder *recorder = fpr_recorder();
    recorder->opened = 1;
    if (path == NULL || *path == '\0')
        return;
    recorder->log = fopen(path, "w");
    if (recorder->log == NULL) {
        perror(path);
        exit(2);
    }
    fputs("thread,operation,address,at\n", recorder->log);
    atexit(fpr_close);
}

FPR_ONCE void fpr_enter(void) {
    struct fpr_recorder *recorder = fpr_recorder();
    pthread_mutex_lock(&recorder->lock);
    if (!recorder->opened)
        fpr_begin(getenv("FENCEPOST_LOG"));
    if (*fpr_number() == 0)
        *fpr_number() = ++recorder->threads;
}

/* Writes a row, without the end of its line; the lock is held. */
FPR_ONCE void fpr_write(const char *operation, const char *file, int line,
                        const char *address) {
    FILE *log = fpr_recorder()->log;
    if (log == NULL)
        return;
    fprintf(log, "%u,%s,%s,\"", *fpr_number(), operation, address);
    for (; *file != '\0'; file++) {
        if (*file == '"')
            fputc('"', log);
        fputc(*file, log);
    }
    fprintf(log, ":%d\"\n", line);
}

FPR_ONCE void fpr_leave(const char *operation, const void *place, const char *file,
                        int line) {
    char address[32] = "";
    if (place != NULL)
        snprintf(address, sizeof address, "%p", (void *)(size_t)place);
    fpr_write(operation, file, line, address);
    pthread_mutex_unlock(&fpr_recorder()->lock);
}

FPR_ONCE void fpr_row(const char *operation, const void *place, const char *file, int line) {
    __sync_synchronize();
    fpr_enter();
    fpr_leave(operation, place, file, line);
}

/* Records from now on to this file, whatever the environment says. */
FPR_ONCE void fpr_open(const char *path) {
    struct fpr_recorder *recorder = fpr_recorder();
    pthread_mutex_lock(&recorder->lock);
    if (recorder->log != NULL)
        fclose(recorder->log);
    recorder->log = NULL;
    fpr_begin(path);
    pthread_mutex_unlock(&recorder->lock);
}

FPR_ONCE void *fpr_run(void *argument) {
    struct fpr_thread *thread = argument;
    *fpr_number() = thread->number;
    return thread->function(thread->argument);
}

FPR_ONCE int fpr_start_thread(pthread_t *handle, const pthread_attr_t *attributes,
                              void *(*function)(void *), void *argument,
                              const char *file, int line) {
    char address[32];
    struct fpr_recorder *recorder = fpr_recorder();
    struct fpr_thread *thread = malloc(sizeof *thread);
    if (thread == NULL)
        abort();
    fpr_enter();
    thread->number = ++recorder->threads;
    thread->function = function;
    thread->argument = argument;
    snprintf(address, sizeof address, "%u", thread->number);
    int failed = pthread_create(handle, attributes, fpr_run, thread);
    if (failed) {
        free(thread);
    } else {
        fpr_write("start", file, line, address);
        thread->handle = *handle;
        thread->next = recorder->started;
        recorder->started = thread;
    }
    pthread_mutex_unlock(&recorder->lock);
    return failed;
}

FPR_ONCE int fpr_join_thread(pthread_t handle, void **result, const char *file, int line) {
    char address[32];
    struct fpr_recorder *recorder = fpr_recorder();
    int failed = pthread_join(handle, result);
    if (failed)
        return failed;
    fpr_enter();
    for (struct fpr_thread **at = &recorder->started; *at != NULL; at = &(*at)->next) {
        struct fpr_thread *thread = *at;
        if (pthread_equal(thread->handle, handle)) {
            snprintf(address, sizeof address, "%u", thread->number);
            fpr_write("join", file, line, address);
            *at = thread->next;
            free(thread);
            break;
        }
    }
    pthread_mutex_unlock(&recorder->lock);
    return 0;
}

#undef FPR_ONCE
#endif
