// Timers: of descriptors (timerfd), of the process (alarm, setitimer), of POSIX (timer_create). They go off where the
// turn comes back, at their moment.

#include "guest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <pthread.h>
#include <unistd.h>

enum purpose { UNUSED, DESCRIPTOR, SIGNAL, THREAD, NOBODY };

struct timer {
    enum purpose purpose;
    clockid_t clock;
    uint64_t due, interval;
    int descriptor;
    struct sigevent event;
    bool is_alarm;
    int overrun;
};

// The first is that of the process.
enum { MOST = 256 };
static struct timer timers[MOST] = {{.purpose = SIGNAL, .clock = CLOCK_MONOTONIC, .due = NEVER, .is_alarm = true}};
static int used = 1;

static struct timer *new_timer(enum purpose purpose, clockid_t clock) {
    for (int i = 1; i < MOST; i++) {
        if (timers[i].purpose != UNUSED) continue;
        if (i >= used) used = i + 1;
        timers[i] = (struct timer){.purpose = purpose, .clock = clock, .due = NEVER, .descriptor = -1};
        return &timers[i];
    }
    errno = EAGAIN;
    return NULL;
}

uint64_t next_timer(void) {
    uint64_t least = NEVER;
    for (int i = 0; i < used; i++)
        if (timers[i].purpose != UNUSED && timers[i].due < least) least = timers[i].due;
    return least;
}

void shift_timers(uint64_t by) {
    for (int i = 0; i < used; i++)
        if (timers[i].due != NEVER) timers[i].due += by;
}

static void raise_signal(const struct timer *timer) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = timer->is_alarm ? SIGALRM : timer->event.sigev_signo;
    info.si_code = timer->is_alarm ? SI_KERNEL : SI_TIMER;
    if (!timer->is_alarm) info.si_value = timer->event.sigev_value;
    raw(SYS_rt_sigqueueinfo, raw(SYS_getpid), info.si_signo, &info);
}

static void fire(struct timer *timer) {
    uint64_t times = 1;
    if (timer->interval > 0) times += (guest.now - timer->due) / timer->interval;
    timer->due = timer->interval > 0 ? timer->due + times * timer->interval : NEVER;
    timer->overrun = (int)times - 1;
    switch (timer->purpose) {
    case DESCRIPTOR: raw(SYS_write, timer->descriptor, &times, sizeof times); break;
    case SIGNAL: raise_signal(timer); break;
    case THREAD: wake(timer, 1); break;
    case UNUSED: case NOBODY: break;
    }
}

void fire_timers(void) {
    for (;;) {
        struct timer *first = NULL;
        for (int i = 0; i < used; i++) {
            if (timers[i].purpose == UNUSED || timers[i].due > guest.now) continue;
            if (first == NULL || timers[i].due < first->due) first = &timers[i];
        }
        if (first == NULL) return;
        fire(first);
    }
}

static struct itimerspec setting_of(const struct timer *timer) {
    uint64_t left = timer->due == NEVER ? 0 : timer->due > guest.now ? timer->due - guest.now : 1;
    return (struct itimerspec){.it_interval = timespec_of(timer->interval), .it_value = timespec_of(left)};
}

static void set(struct timer *timer, bool is_absolute, const struct itimerspec *setting, struct itimerspec *old) {
    if (old != NULL) *old = setting_of(timer);
    timer->interval = nanoseconds(&setting->it_interval);
    bool is_off = setting->it_value.tv_sec == 0 && setting->it_value.tv_nsec == 0;
    timer->due = is_off        ? NEVER
               : is_absolute ? moment_of(timer->clock, &setting->it_value)
                             : moment_after(&setting->it_value);
}

static bool is_valid(const struct itimerspec *setting) {
    return setting->it_value.tv_nsec >= 0 && setting->it_value.tv_nsec < 1000000000 && setting->it_value.tv_sec >= 0;
}

// MARK: Descriptors
// An event's descriptor takes the timer's place, since it is read and waited for the same way.

static struct timer *timer_of(int descriptor) {
    if (kind_of(descriptor) == TIMER)
        for (int i = 1; i < used; i++)
            if (timers[i].purpose == DESCRIPTOR && timers[i].descriptor == descriptor) return &timers[i];
    return NULL;
}

EXPORT int timerfd_create(clockid_t clock, int flags) {
    if (!is_guest()) return REAL(timerfd_create)(clock, flags);
    called(__func__);
    _Static_assert((int)TFD_NONBLOCK == (int)EFD_NONBLOCK, "the flags are the same");
    _Static_assert((int)TFD_CLOEXEC == (int)EFD_CLOEXEC, "the flags are the same");
    int descriptor = (int)raw(SYS_eventfd2, 0, flags);
    if (descriptor < 0) return -1;
    struct timer *timer = new_timer(DESCRIPTOR, clock);
    if (timer == NULL) {
        raw(SYS_close, descriptor);
        errno = EMFILE;
        return -1;
    }
    timer->descriptor = descriptor;
    set_kind(descriptor, TIMER);
    return descriptor;
}

EXPORT int timerfd_settime(int descriptor, int flags, const struct itimerspec *setting, struct itimerspec *old) {
    struct timer *timer = is_guest() ? timer_of(descriptor) : NULL;
    if (timer == NULL) return REAL(timerfd_settime)(descriptor, flags, setting, old);
    called(__func__);
    if (!is_valid(setting)) {
        errno = EINVAL;
        return -1;
    }
    // What it has counted so far is forgotten.
    uint64_t count;
    if (has_events(descriptor, 1 /* POLLIN */)) raw(SYS_read, descriptor, &count, sizeof count);
    set(timer, (flags & TFD_TIMER_ABSTIME) != 0, setting, old);
    if (timer->due <= guest.now) fire(timer);
    return 0;
}

EXPORT int timerfd_gettime(int descriptor, struct itimerspec *setting) {
    struct timer *timer = is_guest() ? timer_of(descriptor) : NULL;
    if (timer == NULL) return REAL(timerfd_gettime)(descriptor, setting);
    *setting = setting_of(timer);
    return 0;
}

void close_timer(int descriptor) {
    struct timer *timer = timer_of(descriptor);
    if (timer != NULL) timer->purpose = UNUSED;
}

// MARK: The process

static struct timespec from_micros(struct timeval time) {
    return (struct timespec){.tv_sec = time.tv_sec, .tv_nsec = time.tv_usec * 1000};
}

static struct timeval to_micros(struct timespec time) {
    return (struct timeval){.tv_sec = time.tv_sec, .tv_usec = (time.tv_nsec + 999) / 1000};
}

static void get_process_timer(struct itimerval *setting) {
    struct itimerspec now = setting_of(&timers[0]);
    *setting = (struct itimerval){to_micros(now.it_interval), to_micros(now.it_value)};
}

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict setting, struct itimerval *restrict old) {
    if (!is_guest()) return REAL(setitimer)(which, setting, old);
    called(__func__);
    // Those of the processor's time would go off at moments that nobody can repeat.
    if (which != ITIMER_REAL) return 0;
    if (old != NULL) get_process_timer(old);
    struct itimerspec precise = {from_micros(setting->it_interval), from_micros(setting->it_value)};
    set(&timers[0], false, &precise, NULL);
    return 0;
}

EXPORT int getitimer(__itimer_which_t which, struct itimerval *setting) {
    if (!is_guest()) return REAL(getitimer)(which, setting);
    if (which == ITIMER_REAL) get_process_timer(setting);
    else *setting = (struct itimerval){0};
    return 0;
}

EXPORT unsigned alarm(unsigned length) {
    struct itimerval setting = {.it_value.tv_sec = length}, old = {0};
    setitimer(ITIMER_REAL, &setting, &old);
    return (unsigned)old.it_value.tv_sec + (old.it_value.tv_usec > 0);
}

EXPORT useconds_t ualarm(useconds_t length, useconds_t interval) {
    struct itimerval old = {0}, setting = {.it_value = {length / 1000000, length % 1000000},
                                           .it_interval = {interval / 1000000, interval % 1000000}};
    setitimer(ITIMER_REAL, &setting, &old);
    return (useconds_t)(old.it_value.tv_sec * 1000000 + old.it_value.tv_usec);
}

// MARK: POSIX

// libc makes a thread for each time that such a timer goes off; ours has one, which calls time after time.
static void *call_for(void *what) {
    struct timer *timer = what;
    while (timer->purpose == THREAD) {
        struct wait wait = {.until = NEVER, .address = timer};
        if (wait_for(&wait) == READY && timer->purpose == THREAD)
            timer->event.sigev_notify_function(timer->event.sigev_value);
    }
    timer->purpose = UNUSED;
    return NULL;
}

// A timer's name is its place.
static struct timer *named(timer_t name) {
    uintptr_t place = (uintptr_t)name;
    bool is_one = place > 0 && place < (uintptr_t)used && timers[place].purpose > DESCRIPTOR;
    if (!is_one) errno = EINVAL;
    return is_one ? &timers[place] : NULL;
}

EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict name) {
    if (!is_guest()) return REAL(timer_create)(clock, event, name);
    called(__func__);
    int kind = event == NULL ? SIGEV_SIGNAL : event->sigev_notify;
    enum purpose purpose = kind == SIGEV_NONE ? NOBODY : kind == SIGEV_THREAD ? THREAD : SIGNAL;
    struct timer *timer = new_timer(purpose, clock);
    if (timer == NULL) return -1;
    *name = (timer_t)(uintptr_t)(timer - timers);
    timer->event = event != NULL
                 ? *event
                 : (struct sigevent){.sigev_signo = SIGALRM, .sigev_value.sival_int = (int)(timer - timers)};
    pthread_t handle;
    if (purpose != THREAD) return 0;
    int failure = pthread_create(&handle, event->sigev_notify_attributes, call_for, timer);
    if (failure == 0) {
        pthread_detach(handle);
        return 0;
    }
    timer->purpose = UNUSED;
    errno = failure;
    return -1;
}

EXPORT int timer_settime(timer_t name, int flags, const struct itimerspec *setting, struct itimerspec *old) {
    if (!is_guest()) return REAL(timer_settime)(name, flags, setting, old);
    called(__func__);
    struct timer *timer = named(name);
    if (timer == NULL) return -1;
    if (!is_valid(setting)) {
        errno = EINVAL;
        return -1;
    }
    set(timer, (flags & TIMER_ABSTIME) != 0, setting, old);
    return 0;
}

EXPORT int timer_gettime(timer_t name, struct itimerspec *setting) {
    if (!is_guest()) return REAL(timer_gettime)(name, setting);
    struct timer *timer = named(name);
    if (timer == NULL) return -1;
    *setting = setting_of(timer);
    return 0;
}

EXPORT int timer_getoverrun(timer_t name) {
    if (!is_guest()) return REAL(timer_getoverrun)(name);
    struct timer *timer = named(name);
    return timer == NULL ? -1 : timer->overrun;
}

EXPORT int timer_delete(timer_t name) {
    if (!is_guest()) return REAL(timer_delete)(name);
    struct timer *timer = named(name);
    if (timer == NULL) return -1;
    timer->due = NEVER;
    // A thread that calls for it ends first.
    if (timer->purpose == THREAD) {
        timer->purpose = NOBODY;
        wake(timer, 1);
    } else {
        timer->purpose = UNUSED;
    }
    return 0;
}
