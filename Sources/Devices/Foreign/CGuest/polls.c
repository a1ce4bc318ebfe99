// Waiting for one of many descriptors. What they have is there at once or comes with the door's next turn, so that a
// look without a wait is a true answer.

#include "guest.h"

#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

// A look, as often as it takes. It is what a wait is ready by, and the last one gives the answer.
struct look {
    long (*at)(void *);
    void *what;
    long answer;
};

static bool is_ready(void *what) {
    struct look *look = what;
    // Once: an event at an edge is told of once.
    if (look->answer == 0) look->answer = look->at(look->what);
    return look->answer != 0;
}

static int look_until(uint64_t moment, const sigset_t *mask, long (*at)(void *), void *what) {
    struct look look = {.at = at, .what = what};
    if (!is_ready(&look)) {
        if (moment <= guest.now) {
            hand_on();
            return is_ready(&look) ? (int)look.answer : 0;
        }
        struct wait wait = {
            .until = moment, .is_ready = is_ready, .what = &look, .mask = mask, .is_cancellable = true};
        switch (wait_for(&wait)) {
        case TIMEOUT: return 0;
        case INTERRUPTED: errno = EINTR; return -1;
        case READY: break;
        }
    }
    if (look.answer >= 0) return (int)look.answer;
    errno = (int)-look.answer;
    return -1;
}

static long or_error(long result) { return result < 0 ? -errno : result; }

// MARK: poll

struct polled {
    struct pollfd *entries;
    nfds_t count;
};

static long look_by_poll(void *what) {
    struct polled *polled = what;
    struct timespec none = {0};
    return or_error(raw(SYS_ppoll, polled->entries, polled->count, &none, NULL, 0));
}

EXPORT int poll(struct pollfd *entries, nfds_t count, int milliseconds) {
    if (!is_guest()) return REAL(poll)(entries, count, milliseconds);
    called(__func__);
    return look_until(
        moment_after_ms(milliseconds), NULL, look_by_poll, &(struct polled){entries, count});
}

EXPORT int ppoll(
    struct pollfd *entries, nfds_t count, const struct timespec *length, const sigset_t *mask) {
    if (!is_guest()) return REAL(ppoll)(entries, count, length, mask);
    called(__func__);
    return look_until(moment_after(length), mask, look_by_poll, &(struct polled){entries, count});
}

// As a program has them that was built with _FORTIFY_SOURCE.
int __poll_chk(struct pollfd *entries, nfds_t count, int milliseconds, size_t size);
EXPORT int __poll_chk(struct pollfd *entries, nfds_t count, int milliseconds, size_t size) {
    (void)size;
    return poll(entries, count, milliseconds);
}

int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
EXPORT int __ppoll_chk(
    struct pollfd *entries, nfds_t count, const struct timespec *length, const sigset_t *mask, size_t size) {
    (void)size;
    return ppoll(entries, count, length, mask);
}

// MARK: select

struct selected {
    int count;
    fd_set *sets[3];
    // Each look changes the sets, and so needs a copy.
    fd_set asked[3];
    size_t size;
};

static long look_by_select(void *what) {
    struct selected *selected = what;
    fd_set *found[3];
    fd_set copies[3];
    for (int i = 0; i < 3; i++) {
        found[i] = selected->sets[i] == NULL ? NULL : &copies[i];
        if (found[i] != NULL) copies[i] = selected->asked[i];
    }
    struct timespec none = {0};
    long result = or_error(raw(SYS_pselect6, selected->count, found[0], found[1], found[2], &none, NULL));
    for (int i = 0; i < 3; i++)
        if (result >= 0 && found[i] != NULL) memcpy(selected->sets[i], found[i], selected->size);
    return result;
}

static int select_until(
    uint64_t moment, const sigset_t *mask, int count, fd_set *reads, fd_set *writes, fd_set *others) {
    struct selected selected = {.count = count, .sets = {reads, writes, others}};
    if (count > FD_SETSIZE) count = selected.count = FD_SETSIZE;
    selected.size = count <= 0 ? 0 : ((size_t)count + 63) / 64 * 8;
    for (int i = 0; i < 3; i++)
        if (selected.sets[i] != NULL) memcpy(&selected.asked[i], selected.sets[i], selected.size);
    return look_until(moment, mask, look_by_select, &selected);
}

EXPORT int select(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *length) {
    if (!is_guest()) return REAL(select)(count, reads, writes, others, length);
    called(__func__);
    uint64_t moment = NEVER;
    if (length != NULL) {
        // No check of tv_usec here: the system takes a second's worth and more.
        struct timespec time = {.tv_sec = length->tv_sec + length->tv_usec / 1000000,
                                .tv_nsec = length->tv_usec % 1000000 * 1000};
        moment = moment_after(&time);
    }
    int result = select_until(moment, NULL, count, reads, writes, others);
    if (length != NULL && result >= 0) {
        struct timespec left = timespec_of(moment > guest.now && moment != NEVER ? moment - guest.now : 0);
        *length = (struct timeval){.tv_sec = left.tv_sec, .tv_usec = left.tv_nsec / 1000};
    }
    return result;
}

EXPORT int pselect(
    int count, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *length, const sigset_t *mask) {
    if (!is_guest()) return REAL(pselect)(count, reads, writes, others, length, mask);
    called(__func__);
    return select_until(moment_after(length), mask, count, reads, writes, others);
}

// MARK: epoll

struct epolled {
    int descriptor;
    struct epoll_event *events;
    int most;
};

static long look_by_epoll(void *what) {
    struct epolled *epolled = what;
    return or_error(raw(SYS_epoll_pwait, epolled->descriptor, epolled->events, epolled->most, 0, NULL, 8));
}

static int epoll_until(uint64_t moment, const sigset_t *mask, struct epolled epolled) {
    called("epoll_wait");
    return look_until(moment, mask, look_by_epoll, &epolled);
}

EXPORT int epoll_wait(int descriptor, struct epoll_event *events, int most, int milliseconds) {
    if (!is_guest()) return REAL(epoll_wait)(descriptor, events, most, milliseconds);
    return epoll_until(moment_after_ms(milliseconds), NULL, (struct epolled){descriptor, events, most});
}

EXPORT int epoll_pwait(
    int descriptor, struct epoll_event *events, int most, int milliseconds, const sigset_t *mask) {
    if (!is_guest()) return REAL(epoll_pwait)(descriptor, events, most, milliseconds, mask);
    return epoll_until(moment_after_ms(milliseconds), mask, (struct epolled){descriptor, events, most});
}

EXPORT int epoll_pwait2(
    int descriptor, struct epoll_event *events, int most, const struct timespec *length, const sigset_t *mask) {
    if (!is_guest()) return REAL(epoll_pwait2)(descriptor, events, most, length, mask);
    return epoll_until(moment_after(length), mask, (struct epolled){descriptor, events, most});
}
