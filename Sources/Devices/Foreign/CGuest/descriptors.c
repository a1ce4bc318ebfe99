// What we know of descriptors, and what they do when they are copied and closed.

#include "guest.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 1 << 16 };
static uint8_t kinds[MOST];

enum kind kind_of(int descriptor) { return descriptor >= 0 && descriptor < MOST ? kinds[descriptor] : PLAIN; }

void set_kind(int descriptor, enum kind kind) {
    if (descriptor >= 0 && descriptor < MOST) kinds[descriptor] = (uint8_t)kind;
}

bool is_blocking(int descriptor) {
    long flags = raw(SYS_fcntl, descriptor, F_GETFL);
    return flags >= 0 && (flags & O_NONBLOCK) == 0;
}

bool has_events(int descriptor, short events) {
    struct pollfd look = {.fd = descriptor, .events = events};
    struct timespec none = {0};
    return raw(SYS_ppoll, &look, 1, &none, NULL, 0) != 0;
}

// How long calls on a socket wait at most. The system would tell, but it rounds that to ticks of its own.
static uint64_t limits[2][MOST];

static uint64_t limit_of(int descriptor, int option) {
    return descriptor < MOST ? limits[option == SO_SNDTIMEO][descriptor] : 0;
}

EXPORT int setsockopt(int descriptor, int level, int option, const void *value, socklen_t size) {
    int result = (int)raw(SYS_setsockopt, descriptor, level, option, value, size);
    bool is_limit = level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO);
    if (result == 0 && is_limit && is_guest() && descriptor < MOST) {
        const struct timeval *most = value;
        limits[option == SO_SNDTIMEO][descriptor] =
            nanoseconds(&(struct timespec){.tv_sec = most->tv_sec, .tv_nsec = most->tv_usec * 1000});
    }
    return result;
}

struct wanted {
    int descriptor;
    short events;
};

static bool has_wanted(void *what) {
    struct wanted *wanted = what;
    return has_events(wanted->descriptor, wanted->events);
}

enum outcome wait_for_events(int descriptor, short events, int timeout_option) {
    if (has_events(descriptor, events)) return READY;
    if (!is_blocking(descriptor)) {
        looked();
        return READY;
    }
    uint64_t limit = limit_of(descriptor, timeout_option);
    struct wanted wanted = {descriptor, events};
    struct wait wait = {
        .until = limit == 0 ? NEVER : guest.now + limit, .is_ready = has_wanted, .what = &wanted,
        .is_cancellable = true};
    enum outcome outcome;
    do outcome = wait_for(&wait);
    while (outcome == INTERRUPTED && wait.restarts && limit == 0);
    if (outcome != READY) errno = outcome == TIMEOUT ? EAGAIN : EINTR;
    return outcome;
}

// MARK: Copies and ends

static int copied(int from, int to) {
    if (to >= 0 && is_guest()) set_kind(to, kind_of(from));
    return to;
}

EXPORT int dup(int descriptor) { return copied(descriptor, (int)raw(SYS_dup, descriptor)); }

EXPORT int dup3(int from, int to, int flags) {
    if (is_guest() && to == guest.control) {
        errno = EBADF;
        return -1;
    }
    if (is_guest() && from != to) close_timer(to);
    return copied(from, (int)raw(SYS_dup3, from, to, flags));
}

EXPORT int dup2(int from, int to) {
    if (from == to) return raw(SYS_fcntl, from, F_GETFD) < 0 ? -1 : to;
    return dup3(from, to, 0);
}

static int control(int descriptor, int command, va_list rest) {
    int result = (int)raw(SYS_fcntl, descriptor, command, va_arg(rest, long));
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(descriptor, result) : result;
}

EXPORT int fcntl(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    int result = control(descriptor, command, rest);
    va_end(rest);
    return result;
}

EXPORT int fcntl64(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    int result = control(descriptor, command, rest);
    va_end(rest);
    return result;
}

// Whoever closes all descriptors that there may be does not mean ours.

EXPORT int close(int descriptor) {
    if (is_guest() && descriptor == guest.control) {
        errno = EBADF;
        return -1;
    }
    if (is_guest()) {
        close_timer(descriptor);
        set_kind(descriptor, PLAIN);
        if (descriptor >= 0 && descriptor < MOST) limits[0][descriptor] = limits[1][descriptor] = 0;
    }
    return (int)raw(SYS_close, descriptor);
}

EXPORT int close_range(unsigned first, unsigned last, int flags) {
    unsigned ours = (unsigned)guest.control;
    if (!is_guest()) return (int)raw(SYS_close_range, first, last, flags);
    if ((flags & 4 /* CLOSE_RANGE_CLOEXEC */) == 0)
        for (unsigned each = first; each <= last && each < MOST; each++)
            if (each != ours && kind_of((int)each) != PLAIN) close((int)each);
    if (ours < first || ours > last) return (int)raw(SYS_close_range, first, last, flags);
    if (ours > first && raw(SYS_close_range, first, ours - 1, flags) < 0) return -1;
    return ours < last ? (int)raw(SYS_close_range, ours + 1, last, flags) : 0;
}

EXPORT void closefrom(int first) { close_range(first < 0 ? 0 : (unsigned)first, ~0u, 0); }
