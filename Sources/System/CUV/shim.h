#ifndef ANECHOIC_CUV_SHIM_H
#define ANECHOIC_CUV_SHIM_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

// What Swift cannot call: GNU functions, which the Glibc module does not show, and what would need a
// sockaddr cast. All return 0 (or a count) or a negative errno, as libuv does.

/// Marks every descriptor from `first` on close-on-exec (close_range, CLOSE_RANGE_CLOEXEC).
static inline int cuv_close_on_exec_from(unsigned int first) {
    return syscall(SYS_close_range, first, ~0U, 1U << 2) == 0 ? 0 : -errno;
}

/// Fills `mask` with the cores the calling thread may use; returns the number of bytes filled.
static inline int cuv_get_affinity(void *mask, size_t bytes) {
    long filled = syscall(SYS_sched_getaffinity, 0, bytes, mask);
    return filled >= 0 ? (int)filled : -errno;
}

/// Lets the calling thread, and all it spawns from now on, use only the cores in `mask`.
static inline int cuv_set_affinity(const void *mask, size_t bytes) {
    return syscall(SYS_sched_setaffinity, 0, bytes, mask) == 0 ? 0 : -errno;
}

/// A descriptor that becomes readable with every tick of a clock that stands still at first.
static inline int cuv_ticker(void) {
    int ticker = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    return ticker >= 0 ? ticker : -errno;
}

/// Lets a ticker tick every so many milliseconds; 0 stops it, and forgets what it has ticked.
static inline int cuv_set_ticker(int ticker, uint64_t milliseconds) {
    struct timespec period = {
        .tv_sec = (time_t)(milliseconds / 1000), .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    struct itimerspec times = {.it_interval = period, .it_value = period};
    return timerfd_settime(ticker, 0, &times, NULL) == 0 ? 0 : -errno;
}

/// The bytes a unix-domain socket's path may have, the closing zero included.
static inline size_t cuv_socket_path_size(void) {
    return sizeof(((struct sockaddr_un *)0)->sun_path);
}

/// 1 where `path` is a socket file that a dead process left behind: nobody listens on it.
static inline int cuv_is_stale_socket(const char *path) {
    struct stat file;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (lstat(path, &file) != 0 || !S_ISSOCK(file.st_mode)) return 0;
    if (strlen(path) >= sizeof address.sun_path) return 0;
    memcpy(address.sun_path, path, strlen(path));
    int peer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (peer < 0) return -errno;
    int refused = connect(peer, (struct sockaddr *)&address, sizeof address) != 0 && errno == ECONNREFUSED;
    close(peer);
    return refused;
}

/// Makes this process the parent of those below it that lose theirs (1), or no more (0).
static inline int cuv_adopt_orphans(int adopts) {
    return prctl(PR_SET_CHILD_SUBREAPER, (unsigned long)adopts, 0UL, 0UL, 0UL) == 0 ? 0 : -errno;
}

/// 1 where this process adopts orphans.
static inline int cuv_adopts_orphans(void) {
    int adopts = 0;
    return prctl(PR_GET_CHILD_SUBREAPER, &adopts, 0UL, 0UL, 0UL) == 0 ? adopts : -errno;
}

/// A descriptor that means process `pid` for good: it never means another one that gets its number.
static inline int cuv_process_descriptor(int pid) {
    long descriptor = syscall(SYS_pidfd_open, pid, 0);
    return descriptor >= 0 ? (int)descriptor : -errno;
}

/// Sends a signal to the process of such a descriptor.
static inline int cuv_signal_process(int descriptor, int number) {
    return syscall(SYS_pidfd_send_signal, descriptor, number, NULL, 0) == 0 ? 0 : -errno;
}

#endif
