// The clocks, which all stand still while the guest works.

#include "guest.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/resource.h>
#include <string.h>
#include <unistd.h>

// 2026-01-01T00:00:00Z, and a machine that was on for a quarter of an hour when the program was started.
static const uint64_t beginning = 1767225600ull * 1000000000ull, uptime = 900ull * 1000000000ull;

static bool is_day(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
           clock == CLOCK_REALTIME_ALARM;
}

// The processor's time of a process or thread: what it has had of the run.
static bool is_processor(clockid_t clock) {
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

static uint64_t offset_of(clockid_t clock) {
    return is_day(clock) ? beginning : (is_processor(clock) ? 0 : uptime) - guest.begun;
}

uint64_t clock_shows(clockid_t clock) { return guest.now + offset_of(clock); }

uint64_t nanoseconds(const struct timespec *time) {
    if (time->tv_sec < 0) return 0;
    // Nobody waits for three centuries; it is a way to say never.
    if (time->tv_sec > 9000000000) return NEVER;
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

struct timespec timespec_of(uint64_t length) {
    return (struct timespec){.tv_sec = (time_t)(length / 1000000000), .tv_nsec = (long)(length % 1000000000)};
}

uint64_t moment_of(clockid_t clock, const struct timespec *time) {
    uint64_t shown = nanoseconds(time);
    if (shown == NEVER) return NEVER;
    int64_t moment = (int64_t)(shown - offset_of(clock));
    return moment < 0 ? 0 : (uint64_t)moment;
}

uint64_t moment_of_any(const struct timespec *time) {
    return moment_of(time->tv_sec > 20 * 365 * 86400 ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
}

uint64_t moment_after(const struct timespec *length) {
    uint64_t span = length == NULL ? NEVER : nanoseconds(length);
    return span == NEVER ? NEVER : guest.now + span;
}

uint64_t moment_after_ms(int milliseconds) {
    return milliseconds < 0 ? NEVER : guest.now + (uint64_t)milliseconds * 1000000;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time) {
    // Not by libc, which may read the page that we have written over (trap.c).
    if (!is_guest()) return (int)raw(SYS_clock_gettime, clock, time);
    called(__func__);
    looked();
    *time = timespec_of(clock_shows(clock));
    return 0;
}

EXPORT int clock_getres(clockid_t clock, struct timespec *resolution) {
    if (!is_guest()) return REAL(clock_getres)(clock, resolution);
    if (resolution != NULL) *resolution = (struct timespec){.tv_nsec = 1};
    return 0;
}

EXPORT int clock_settime(clockid_t clock, const struct timespec *time) {
    if (!is_guest()) return REAL(clock_settime)(clock, time);
    errno = EPERM;
    return -1;
}

EXPORT int gettimeofday(struct timeval *restrict day, void *restrict zone) {
    if (zone != NULL) memset(zone, 0, sizeof(struct timezone));
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    *day = (struct timeval){.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000};
    return 0;
}

EXPORT time_t time(time_t *copy) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (copy != NULL) *copy = now.tv_sec;
    return now.tv_sec;
}

EXPORT int timespec_get(struct timespec *time, int base) {
    if (base != TIME_UTC) return 0;
    clock_gettime(CLOCK_REALTIME, time);
    return base;
}

EXPORT int ftime(struct timeb *day) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *day = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / 1000000)};
    return 0;
}

EXPORT clock_t clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

EXPORT clock_t times(struct tms *spent) {
    if (!is_guest()) return REAL(times)(spent);
    uint64_t tick = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
    looked();
    if (spent != NULL) *spent = (struct tms){.tms_utime = (clock_t)(guest.now / tick)};
    return (clock_t)(clock_shows(CLOCK_MONOTONIC) / tick);
}

EXPORT int getrusage(__rusage_who_t who, struct rusage *usage) {
    int result = (int)raw(SYS_getrusage, who, usage);
    if (!is_guest() || result < 0) return result;
    looked();
    usage->ru_utime = (struct timeval){
        .tv_sec = (time_t)(guest.now / 1000000000), .tv_usec = (suseconds_t)(guest.now / 1000 % 1000000)};
    usage->ru_stime = (struct timeval){0};
    return result;
}

EXPORT int adjtime(const struct timeval *change, struct timeval *left) {
    if (!is_guest()) return REAL(adjtime)(change, left);
    errno = EPERM;
    return -1;
}
