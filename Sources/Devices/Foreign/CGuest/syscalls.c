// System calls by their number: what libc's functions do for a program, done for one that asks the system itself.

#include "guest.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// MARK: Futexes
// A wait at an address, like that for a lock of ours.

static long wait_at(const uint32_t *word, uint32_t value, uint64_t moment) {
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return -EAGAIN;
    called("futex");
    struct wait wait = {.until = moment, .address = word};
    switch (wait_for(&wait)) {
    case TIMEOUT: return -ETIMEDOUT;
    case INTERRUPTED: return -EINTR;
    case READY: break;
    }
    return 0;
}

static long futex(const long *a, bool *is_known) {
    const uint32_t *word = (const uint32_t *)a[0];
    const struct timespec *time = (const struct timespec *)a[3];
    clockid_t clock = (a[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    switch (a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return wait_at(word, (uint32_t)a[2], moment_after(time));
    case FUTEX_WAIT_BITSET:
        return wait_at(word, (uint32_t)a[2], time == NULL ? NEVER : moment_of(clock, time));
    case FUTEX_WAKE: case FUTEX_WAKE_BITSET: return wake(word, (int)a[2]);
    // Whoever would be moved to the other word is woken instead, and finds out by itself.
    case FUTEX_CMP_REQUEUE:
        if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)a[5]) return -EAGAIN;
        return wake(word, INT_MAX);
    case FUTEX_REQUEUE: return wake(word, INT_MAX);
    default: *is_known = false; return 0;
    }
}

// MARK: Children

static long clone_process(long flags) {
    // A thread that libc does not know has no place among those that take turns.
    if ((flags & CLONE_VM) != 0) {
        note("clone: a guest's threads are made by pthread_create");
        return -EPERM;
    }
    pid_t child = fork();
    return child < 0 ? -errno : child;
}

struct masked {
    const sigset_t *mask;
    size_t size;
};

long emulate(long number, const long *a, bool *is_known) {
    *is_known = true;
#define ANSWER(name, ...)                     \
    case SYS_##name: {                        \
        long result_ = (long)(__VA_ARGS__);   \
        return result_ < 0 ? -errno : result_; \
    }
    switch (number) {
    ANSWER(clock_gettime, clock_gettime((clockid_t)a[0], (void *)a[1]))
    ANSWER(clock_getres, clock_getres((clockid_t)a[0], (void *)a[1]))
    ANSWER(gettimeofday, gettimeofday((void *)a[0], (void *)a[1]))
    ANSWER(times, times((void *)a[0]))
    ANSWER(getrusage, getrusage((int)a[0], (void *)a[1]))
    case SYS_clock_nanosleep:
        return -clock_nanosleep((clockid_t)a[0], (int)a[1], (const void *)a[2], (void *)a[3]);
    ANSWER(nanosleep, nanosleep((const void *)a[0], (void *)a[1]))
    ANSWER(sched_yield, sched_yield())
    ANSWER(getrandom, getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]))
    ANSWER(ppoll, ppoll((void *)a[0], (nfds_t)a[1], (const void *)a[2], (const void *)a[3]))
    ANSWER(pselect6, pselect((int)a[0], (void *)a[1], (void *)a[2], (void *)a[3], (const void *)a[4],
                             a[5] == 0 ? NULL : ((struct masked *)a[5])->mask))
    ANSWER(epoll_pwait, epoll_pwait((int)a[0], (void *)a[1], (int)a[2], (int)a[3], (const void *)a[4]))
    ANSWER(epoll_pwait2, epoll_pwait2((int)a[0], (void *)a[1], (int)a[2], (const void *)a[3], (const void *)a[4]))
    ANSWER(timerfd_create, timerfd_create((clockid_t)a[0], (int)a[1]))
    ANSWER(timerfd_settime, timerfd_settime((int)a[0], (int)a[1], (const void *)a[2], (void *)a[3]))
    ANSWER(timerfd_gettime, timerfd_gettime((int)a[0], (void *)a[1]))
    ANSWER(setitimer, setitimer((__itimer_which_t)a[0], (const void *)a[1], (void *)a[2]))
    ANSWER(getitimer, getitimer((__itimer_which_t)a[0], (void *)a[1]))
    ANSWER(rt_sigtimedwait, sigtimedwait((const void *)a[0], (void *)a[1], (const void *)a[2]))
    ANSWER(rt_sigsuspend, sigsuspend((const void *)a[0]))
    ANSWER(read, read((int)a[0], (void *)a[1], (size_t)a[2]))
    ANSWER(readv, readv((int)a[0], (const void *)a[1], (int)a[2]))
    ANSWER(write, write((int)a[0], (const void *)a[1], (size_t)a[2]))
    ANSWER(writev, writev((int)a[0], (const void *)a[1], (int)a[2]))
    ANSWER(recvfrom, recvfrom((int)a[0], (void *)a[1], (size_t)a[2], (int)a[3],
                              (__SOCKADDR_ARG){(void *)a[4]}, (void *)a[5]))
    ANSWER(recvmsg, recvmsg((int)a[0], (void *)a[1], (int)a[2]))
    ANSWER(sendto, sendto((int)a[0], (const void *)a[1], (size_t)a[2], (int)a[3], (__CONST_SOCKADDR_ARG){(void *)a[4]},
                          (socklen_t)a[5]))
    ANSWER(sendmsg, sendmsg((int)a[0], (const void *)a[1], (int)a[2]))
    ANSWER(connect, connect((int)a[0], (__CONST_SOCKADDR_ARG){(void *)a[1]}, (socklen_t)a[2]))
    ANSWER(bind, bind((int)a[0], (__CONST_SOCKADDR_ARG){(void *)a[1]}, (socklen_t)a[2]))
    ANSWER(listen, listen((int)a[0], (int)a[1]))
    ANSWER(accept, accept((int)a[0], (__SOCKADDR_ARG){(void *)a[1]}, (void *)a[2]))
    ANSWER(accept4, accept4((int)a[0], (__SOCKADDR_ARG){(void *)a[1]}, (void *)a[2], (int)a[3]))
    ANSWER(setsockopt, setsockopt((int)a[0], (int)a[1], (int)a[2], (const void *)a[3], (socklen_t)a[4]))
    ANSWER(openat, openat((int)a[0], (const char *)a[1], (int)a[2], (mode_t)a[3]))
    ANSWER(close, close((int)a[0]))
    ANSWER(close_range, close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]))
    ANSWER(dup, dup((int)a[0]))
    ANSWER(dup3, dup3((int)a[0], (int)a[1], (int)a[2]))
    ANSWER(fcntl, fcntl((int)a[0], (int)a[1], a[2]))
    ANSWER(wait4, wait4((pid_t)a[0], (void *)a[1], (int)a[2], (void *)a[3]))
    ANSWER(getpid, getpid())
    ANSWER(gettid, gettid())
    ANSWER(kill, kill((pid_t)a[0], (int)a[1]))
    ANSWER(tgkill, tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]))
    ANSWER(execve, execve((const char *)a[0], (char *const *)a[1], (char *const *)a[2]))
#ifdef SYS_poll  // Only the older machines have these.
    ANSWER(time, time((void *)a[0]))
    ANSWER(poll, poll((void *)a[0], (nfds_t)a[1], (int)a[2]))
    ANSWER(select, select((int)a[0], (void *)a[1], (void *)a[2], (void *)a[3], (void *)a[4]))
    ANSWER(epoll_wait, epoll_wait((int)a[0], (void *)a[1], (int)a[2], (int)a[3]))
    ANSWER(alarm, alarm((unsigned)a[0]))
    ANSWER(pause, pause())
    ANSWER(open, open((const char *)a[0], (int)a[1], (mode_t)a[2]))
    ANSWER(dup2, dup2((int)a[0], (int)a[1]))
    ANSWER(fork, fork())
    ANSWER(vfork, fork())
#endif
    case SYS_futex: return futex(a, is_known);
    case SYS_clone: return clone_process(a[0]);
    case SYS_clone3: return -ENOSYS;
    default: *is_known = false; return 0;
    }
}

EXPORT long syscall(long number, ...) {
    long a[6];
    va_list rest;
    va_start(rest, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
    va_end(rest);
    bool is_known = is_guest();
    long result = is_known ? emulate(number, a, &is_known) : 0;
    if (!is_known) return raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result >= 0) return result;
    errno = (int)-result;
    return -1;
}
