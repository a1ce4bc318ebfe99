// Waiting for signals. They come from timers of ours, at their moment, or from the program itself.

#include "guest.h"

#include <pthread.h>
#include <sys/syscall.h>

static bool is_pending(void *set) {
    uint64_t pending = 0;
    raw(SYS_rt_sigpending, &pending, 8);
    return (pending & *(const uint64_t *)set) != 0;
}

EXPORT int sigtimedwait(
    const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict length) {
    if (!is_guest()) return REAL(sigtimedwait)(set, info, length);
    called(__func__);
    struct wait wait = {
        .until = moment_after(length), .is_ready = is_pending, .what = (void *)set, .is_cancellable = true};
    switch (wait_for(&wait)) {
    case READY: return (int)raw(SYS_rt_sigtimedwait, set, info, &(struct timespec){0}, 8);
    case TIMEOUT: errno = EAGAIN; break;
    case INTERRUPTED: errno = EINTR; break;
    }
    return -1;
}

EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) { return sigtimedwait(set, info, NULL); }

EXPORT int sigwait(const sigset_t *restrict set, int *restrict number) {
    if (!is_guest()) return REAL(sigwait)(set, number);
    int result;
    do result = sigtimedwait(set, NULL, NULL);
    while (result < 0 && errno == EINTR);
    if (result < 0) return errno;
    *number = result;
    return 0;
}

EXPORT int sigsuspend(const sigset_t *mask) {
    if (!is_guest()) return REAL(sigsuspend)(mask);
    called(__func__);
    struct wait wait = {.until = NEVER, .mask = mask, .is_cancellable = true};
    while (wait_for(&wait) != INTERRUPTED) {}
    errno = EINTR;
    return -1;
}

// The system ends a process that it has to ask something (trap.c) while the signal for that is blocked.
EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    if (!is_guest() || set == NULL || how == SIG_UNBLOCK) return REAL(pthread_sigmask)(how, set, old);
    sigset_t less = *set;
    sigdelset(&less, SIGSYS);
    sigdelset(&less, SIGSEGV);
    return REAL(pthread_sigmask)(how, &less, old);
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    int failure = pthread_sigmask(how, set, old);
    if (failure == 0) return 0;
    errno = failure;
    return -1;
}
