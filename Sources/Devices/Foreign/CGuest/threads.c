// Threads, which begin and end within the turn (turn.c).

#include "guest.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>

static pthread_key_t key;

// The end of a thread, after which it touches nothing of the program's. Destructors are called in rounds, and the
// others may well lock or print something; so ours puts itself off until the last.
static void leave(void *what) {
    struct thread *thread = what;
    if (--thread->rounds > 0) pthread_setspecific(key, thread);
    else end_thread(thread);
}

static void make_key(void) {
    static bool is_made;
    if (is_made) return;
    is_made = true;
    pthread_key_create(&key, leave);
    // So that the first one may end before the others, too.
    this_thread()->rounds = PTHREAD_DESTRUCTOR_ITERATIONS;
    this_thread()->handle = pthread_self();
    this_thread()->id = (int)raw(SYS_gettid);
    pthread_setspecific(key, this_thread());
}

static void *begin(void *what) {
    struct thread *thread = what;
    begin_thread(thread);
    trap_thread();
    pthread_setspecific(key, thread);
    return thread->start(thread->argument);
}

EXPORT int pthread_create(
    pthread_t *restrict handle, const pthread_attr_t *restrict attributes, void *(*start)(void *),
    void *restrict argument) {
    if (!is_guest()) return REAL(pthread_create)(handle, attributes, start, argument);
    called(__func__);
    make_key();
    struct thread *thread = calloc(1, sizeof *thread);
    if (thread == NULL) return EAGAIN;
    thread->start = start;
    thread->argument = argument;
    thread->rounds = PTHREAD_DESTRUCTOR_ITERATIONS;
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes != NULL) pthread_attr_getdetachstate(attributes, &state);
    thread->is_detached = state == PTHREAD_CREATE_DETACHED;
    int result = REAL(pthread_create)(&thread->handle, attributes, begin, thread);
    if (result != 0) {
        free(thread);
        return result;
    }
    *handle = thread->handle;
    add_thread(thread);
    return 0;
}

// The thread with that handle, while it has not been joined.
static struct thread *find(pthread_t handle) {
    struct thread *thread = this_thread();
    do {
        if (thread->handle == handle) return thread;
        thread = thread->next;
    } while (thread != this_thread());
    return NULL;
}

static bool has_ended(void *thread) { return ((struct thread *)thread)->is_over; }

static int join(pthread_t handle, void **result, uint64_t moment) {
    struct thread *thread = find(handle);
    // Where it is not in the ring it has ended already, and libc does not wait.
    if (thread != NULL && thread != this_thread()) {
        called("pthread_join");
        struct wait wait = {.until = moment, .is_ready = has_ended, .what = thread, .is_cancellable = true};
        enum outcome outcome;
        while ((outcome = wait_for(&wait)) == INTERRUPTED) {}
        if (outcome == TIMEOUT) return moment <= guest.now && moment == 0 ? EBUSY : ETIMEDOUT;
    }
    int failure = REAL(pthread_join)(handle, result);
    if (failure == 0 && thread != NULL && thread->number != 0) free(thread);
    return failure;
}

EXPORT int pthread_join(pthread_t handle, void **result) {
    return is_guest() ? join(handle, result, NEVER) : REAL(pthread_join)(handle, result);
}

EXPORT int pthread_tryjoin_np(pthread_t handle, void **result) {
    return is_guest() ? join(handle, result, 0) : REAL(pthread_tryjoin_np)(handle, result);
}

EXPORT int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *time) {
    if (!is_guest()) return REAL(pthread_timedjoin_np)(handle, result, time);
    return join(handle, result, time == NULL ? NEVER : moment_of(CLOCK_REALTIME, time));
}

EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock, const struct timespec *time) {
    if (!is_guest()) return REAL(pthread_clockjoin_np)(handle, result, clock, time);
    return join(handle, result, time == NULL ? NEVER : moment_of(clock, time));
}

EXPORT int pthread_detach(pthread_t handle) {
    struct thread *thread = is_guest() ? find(handle) : NULL;
    if (thread != NULL) thread->is_detached = true;
    return REAL(pthread_detach)(handle);
}

// The others get what is for them when it is their turn.

EXPORT int pthread_kill(pthread_t handle, int number) {
    struct thread *thread = is_guest() ? find(handle) : NULL;
    if (thread != NULL && number != 0 && thread != this_thread()) thread->is_kicked = true;
    return REAL(pthread_kill)(handle, number);
}

EXPORT int pthread_cancel(pthread_t handle) {
    struct thread *thread = is_guest() ? find(handle) : NULL;
    if (thread != NULL) thread->is_cancelled = thread->is_kicked = true;
    return REAL(pthread_cancel)(handle);
}

// MARK: C11's names
// libc takes a way of its own to the same things.

struct start {
    thrd_start_t function;
    void *argument;
};

static void *begin_c11(void *what) {
    struct start start = *(struct start *)what;
    free(what);
    return (void *)(intptr_t)start.function(start.argument);
}

static int c11(int failure) {
    return failure == 0 ? thrd_success : failure == ETIMEDOUT ? thrd_timedout : failure == EBUSY ? thrd_busy
         : failure == ENOMEM || failure == EAGAIN             ? thrd_nomem
                                                              : thrd_error;
}

EXPORT int thrd_create(thrd_t *handle, thrd_start_t function, void *argument) {
    if (!is_guest()) return REAL(thrd_create)(handle, function, argument);
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return thrd_nomem;
    *start = (struct start){function, argument};
    int failure = pthread_create(handle, NULL, begin_c11, start);
    if (failure != 0) free(start);
    return c11(failure);
}

EXPORT int thrd_join(thrd_t handle, int *result) {
    void *value = NULL;
    int failure = pthread_join(handle, &value);
    if (failure == 0 && result != NULL) *result = (int)(intptr_t)value;
    return c11(failure);
}

EXPORT int thrd_detach(thrd_t handle) { return c11(pthread_detach(handle)); }
EXPORT int thrd_sleep(const struct timespec *length, struct timespec *left) {
    int failure = clock_nanosleep(CLOCK_REALTIME, 0, length, left);
    return failure == 0 ? 0 : failure == EINTR ? -1 : -2;
}
EXPORT void thrd_yield(void) { sched_yield(); }
EXPORT int mtx_lock(mtx_t *mutex) { return c11(pthread_mutex_lock((pthread_mutex_t *)mutex)); }
EXPORT int mtx_trylock(mtx_t *mutex) { return c11(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }
EXPORT int mtx_unlock(mtx_t *mutex) { return c11(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }
EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict time) {
    return c11(pthread_mutex_timedlock((pthread_mutex_t *)mutex, time));
}
EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return c11(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}
EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict time) {
    return c11(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, time));
}
EXPORT int cnd_signal(cnd_t *condition) { return c11(pthread_cond_signal((pthread_cond_t *)condition)); }
EXPORT int cnd_broadcast(cnd_t *condition) { return c11(pthread_cond_broadcast((pthread_cond_t *)condition)); }
EXPORT void call_once(once_flag *control, void (*start)(void)) { pthread_once((pthread_once_t *)control, start); }
