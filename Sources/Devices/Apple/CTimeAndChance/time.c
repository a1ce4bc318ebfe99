#define _GNU_SOURCE
#include "CTimeAndChance.h"
#include "CDevice.h"
#include "system.h"

#include <errno.h>
#include <sys/time.h>
#include <time.h>

// A run begins on 1 January 2026, 00:00 UTC. The device was switched on a quarter of an hour before: a clock that
// says 0 is taken for none by some.
static const uint64_t beginning = 1767225600ull * 1000000000ull;
static const uint64_t uptime = 900ull * 1000000000ull;

static int is_of_process(clockid_t clock) {
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (cdevice_current() == NULL || is_of_process(clock))
        return (int)system_call(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
    int is_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    uint64_t now = cdevice_now() + (is_day ? beginning : uptime);
    time->tv_sec = (time_t)(now / 1000000000);
    time->tv_nsec = (long)(now % 1000000000);
    return 0;
}

int gettimeofday(struct timeval *restrict day, void *restrict zone) {
    struct timespec time;
    if (zone != NULL) *(struct timezone *)zone = (struct timezone){0};
    clock_gettime(CLOCK_REALTIME, &time);
    day->tv_sec = time.tv_sec;
    day->tv_usec = time.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *copy) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (copy != NULL) *copy = now.tv_sec;
    return now.tv_sec;
}

// A turn takes no time, so nobody can wait in it.

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *length, struct timespec *left) {
    if (cdevice_current() != NULL) system_refuse("sleep", "use asyncAfter, a Timer or Task.sleep");
    long result = system_call(SYS_clock_nanosleep, clock, flags, (long)length, (long)left, 0, 0);
    return result == 0 ? 0 : errno;
}

int nanosleep(const struct timespec *length, struct timespec *left) {
    int failure = clock_nanosleep(CLOCK_MONOTONIC, 0, length, left);
    if (failure == 0) return 0;
    errno = failure;
    return -1;
}

int usleep(useconds_t length) {
    struct timespec time = {length / 1000000, (long)(length % 1000000) * 1000};
    return nanosleep(&time, NULL);
}

unsigned int sleep(unsigned int length) {
    struct timespec time = {length, 0}, left = {0, 0};
    return nanosleep(&time, &left) == 0 ? 0 : (unsigned int)left.tv_sec;
}
