// Sleeping.

#include "guest.h"

#include <unistd.h>

static bool is_valid(const struct timespec *time) {
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *length, struct timespec *left) {
    if (!is_guest()) return REAL(clock_nanosleep)(clock, flags, length, left);
    if (!is_valid(length)) return EINVAL;
    called(__func__);
    bool is_absolute = (flags & TIMER_ABSTIME) != 0;
    uint64_t moment = is_absolute ? moment_of(clock, length) : moment_after(length);
    if (moment <= guest.now) {
        hand_on();
        return 0;
    }
    if (wait_until(moment) != INTERRUPTED) return 0;
    if (left != NULL && !is_absolute) *left = timespec_of(moment > guest.now ? moment - guest.now : 0);
    return EINTR;
}

EXPORT int nanosleep(const struct timespec *length, struct timespec *left) {
    if (!is_guest()) return REAL(nanosleep)(length, left);
    int failure = clock_nanosleep(CLOCK_MONOTONIC, 0, length, left);
    if (failure == 0) return 0;
    errno = failure;
    return -1;
}

EXPORT int usleep(useconds_t length) {
    struct timespec time = {.tv_sec = length / 1000000, .tv_nsec = length % 1000000 * 1000};
    return nanosleep(&time, NULL);
}

EXPORT unsigned sleep(unsigned length) {
    struct timespec time = {.tv_sec = length}, left = {0};
    return nanosleep(&time, &left) == 0 ? 0 : (unsigned)left.tv_sec + (left.tv_nsec > 0);
}

EXPORT int sched_yield(void) {
    if (!is_guest()) return REAL(sched_yield)();
    hand_on();
    return 0;
}

EXPORT int pthread_yield(void) { return sched_yield(); }

EXPORT int pause(void) {
    if (!is_guest()) return REAL(pause)();
    called(__func__);
    while (wait_until(NEVER) != INTERRUPTED) {}
    errno = EINTR;
    return -1;
}
