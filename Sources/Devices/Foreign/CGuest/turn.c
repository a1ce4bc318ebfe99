// The turn. One thread of the guest works at a time; where it would wait, the next one that can work gets the turn, in
// the order in which they were made; where none can, the door gets it, and says when it is later.

#include "guest.h"

#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

struct guest guest = {.control = -1};

static struct thread first = {.next = &first, .has_turn = 1};
static __thread struct thread *mine __attribute__((tls_model("initial-exec")));
static uint32_t last_number;
static uint64_t last_order;

struct thread *this_thread(void) {
    if (mine == NULL) mine = &first;
    return mine;
}

bool is_alone(void) { return first.next == &first; }

// MARK: Signals
// They arrive only while a thread waits or works, so that only the one that works has any that are not blocked.

enum { MASK_SIZE = _NSIG / 8 };

static void change_mask(const sigset_t *mask, sigset_t *old) {
    raw(SYS_rt_sigprocmask, SIG_SETMASK, mask, old, MASK_SIZE);
}

static void block_signals(sigset_t *old) {
    // Not those by which the processor and the system ask us (trap.c); nobody lives on with one of them blocked.
    static const int ours[] = {SIGSYS, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
    sigset_t all;
    memset(&all, 0xFF, sizeof all);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) sigdelset(&all, ours[i]);
    change_mask(&all, old);
}

static const sigset_t *mask_of(const struct thread *thread) {
    return thread->wait != NULL && thread->wait->mask != NULL ? thread->wait->mask : &thread->mask;
}

// The signals that a thread would take now, bit by bit.
static uint64_t signals_for(const struct thread *thread) {
    uint64_t pending = 0;
    raw(SYS_rt_sigpending, &pending, MASK_SIZE);
    return pending & ~*(const uint64_t *)mask_of(thread);
}

// Whether any of them interrupts a call, and whether calls are to go on then.
static bool interrupt(uint64_t signals, bool *restarts) {
    bool is_handled = false;
    *restarts = true;
    for (int number = 1; number < _NSIG; number++) {
        struct {
            void (*handler)(int);
            unsigned long flags;
            void *restorer;
            uint64_t mask;
        } action;
        if ((signals >> (number - 1) & 1) == 0) continue;
        if (raw(SYS_rt_sigaction, number, NULL, &action, MASK_SIZE) < 0) continue;
        if (action.handler == SIG_DFL || action.handler == SIG_IGN) continue;
        is_handled = true;
        if ((action.flags & SA_RESTART) == 0) *restarts = false;
    }
    return is_handled;
}

// MARK: Who can work

static bool has_come(const struct wait *wait) {
    return wait->is_woken || (wait->is_ready != NULL && wait->is_ready(wait->what));
}

static bool can_work(const struct thread *thread) {
    const struct wait *wait = thread->wait;
    if (thread->is_over) return false;
    return wait == NULL || wait->until <= guest.now || has_come(wait) || thread->is_kicked ||
           signals_for(thread) != 0;
}

// The next that can work, this one last.
static struct thread *next_worker(struct thread *self) {
    struct thread *next = self;
    do {
        next = next->next;
        if (can_work(next)) return next;
    } while (next != self);
    return NULL;
}

static uint64_t next_moment(void) {
    uint64_t least = next_timer();
    struct thread *thread = &first;
    do {
        if (thread->wait != NULL && thread->wait->until < least) least = thread->wait->until;
        thread = thread->next;
    } while (thread != &first);
    return least;
}

// MARK: Giving the turn

static void give(struct thread *next) {
    __atomic_store_n(&next->has_turn, 1, __ATOMIC_RELEASE);
    raw(SYS_futex, &next->has_turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static struct thread *leaving;

// What comes next may depend on what a thread leaves behind, as its stack; so it is waited for.
static void bury(void) {
    struct thread *dead = leaving, *before = &first;
    leaving = NULL;
    if (dead == NULL || dead == &first) return;
    while (before->next != dead) before = before->next;
    before->next = dead->next;
    while (raw(SYS_tgkill, raw(SYS_getpid), dead->id, 0) == 0) raw(SYS_sched_yield);
    if (dead->is_detached) free(dead);
}

static void await_turn(struct thread *self) {
    while (__atomic_load_n(&self->has_turn, __ATOMIC_ACQUIRE) == 0)
        raw(SYS_futex, &self->has_turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    bury();
}

// So many looks in a turn are free: time stands still for whoever does not wait for it. A program that starts looks
// often (Python does, for each module).
enum { FREE_AT_START = 100000, FREE = 1000, AGAIN = 100 };
static unsigned looks, repeated_looks, most_looks = FREE_AT_START;

void end_start(void) { most_looks = FREE; }

// To the door, and back at a later time.
static void give_to_door(uint64_t until) {
    // A door that dials has to be told that somebody listens, and then that somebody may accept.
    if (guest.is_listening) until = guest.now;
    guest.is_listening = false;
    say(BLOCKED, guest.calls, until, guest.written, guest.connections);
    struct message message;
    do {
        hear(&message, NULL);
        if (message.kind == TELL) tell_calls();
    } while (message.kind != WAKE);
    if (message.a > guest.now) guest.now = message.a;
    forget_calls();
    looks = 0;
    end_start();
    await_bytes(message.b);
}

static void pass_turn(struct thread *self) {
    struct thread *next;
    for (;;) {
        fire_timers();
        next = next_worker(self);
        if (next != NULL) break;
        if (await_children()) continue;
        give_to_door(next_moment());
    }
    if (next == self) return;
    self->has_turn = 0;
    give(next);
    if (!self->is_over) await_turn(self);
}

// Whether the thread ends here because another one wants it to.
static bool is_to_end(const struct thread *self, const struct wait *wait) {
    int state;
    if (!self->is_cancelled || !wait->is_cancellable) return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_setcancelstate(state, NULL);
    return state == PTHREAD_CANCEL_ENABLE;
}

enum outcome wait_for(struct wait *wait) {
    struct thread *self = this_thread();
    sigset_t old = {0};
    block_signals(&old);
    wait->order = ++last_order;
    enum outcome outcome = READY;
    for (bool is_done = false; !is_done;) {
        // A handler may have waited for something else meanwhile.
        self->wait = wait;
        self->mask = old;
        pass_turn(self);
        bool is_interrupted = interrupt(signals_for(self), &wait->restarts);
        bool was_kicked = self->is_kicked;
        self->is_kicked = false;
        is_done = true;
        if (has_come(wait)) outcome = READY;
        else if (is_interrupted) outcome = INTERRUPTED;
        else if (wait->until <= guest.now) outcome = TIMEOUT;
        else is_done = is_to_end(self, wait);
        const sigset_t *mask = wait->mask != NULL ? wait->mask : &old;
        self->wait = NULL;
        // Handlers run here.
        if (is_interrupted || was_kicked || !is_done || wait->mask != NULL) change_mask(mask, NULL);
        if (!is_done) block_signals(&(sigset_t){0});
    }
    change_mask(&old, NULL);
    if (is_to_end(self, wait)) REAL(pthread_testcancel)();
    repeated_looks = 0;
    return outcome;
}

enum outcome wait_until(uint64_t moment) {
    struct wait wait = {.until = moment, .is_cancellable = true};
    return wait_for(&wait);
}

int wake(const void *address, int most) {
    int count = 0;
    for (; count < most; count++) {
        struct wait *oldest = NULL;
        struct thread *thread = &first;
        do {
            struct wait *wait = thread->wait;
            if (wait != NULL && wait->address == address && !wait->is_woken &&
                (oldest == NULL || wait->order < oldest->order))
                oldest = wait;
            thread = thread->next;
        } while (thread != &first);
        if (oldest == NULL) break;
        oldest->is_woken = true;
    }
    return count;
}

// MARK: Looking and waiting for nothing

static bool always(void *nothing) {
    (void)nothing;
    return true;
}

void hand_on(void) {
    looked();
    if (is_alone()) return;
    struct wait wait = {.until = NEVER, .is_ready = always};
    unsigned kept = repeated_looks;
    wait_for(&wait);
    repeated_looks = kept;
}

void looked(void) {
    if (++looks < most_looks) return;
    // 10 us, 20 us, … 100 us: a long wait does not take a turn for each microsecond.
    enum { STEP = 10000, LONGEST = 100000 };
    unsigned repeated = repeated_looks + 1;
    uint64_t step = (uint64_t)repeated * STEP;
    wait_until(guest.now + (step < LONGEST ? step : LONGEST));
    repeated_looks = repeated;
    looks = FREE - AGAIN;
}

// MARK: Threads

void add_thread(struct thread *thread) {
    struct thread *last = &first;
    while (last->next != &first) last = last->next;
    thread->number = ++last_number;
    thread->next = &first;
    last->next = thread;
}

void begin_thread(struct thread *thread) {
    mine = thread;
    thread->id = (int)raw(SYS_gettid);
    await_turn(thread);
}

void end_thread(struct thread *thread) {
    block_signals(&thread->mask);
    thread->is_over = true;
    thread->wait = NULL;
    wake(thread, INT_MAX);
    leaving = thread;
    pass_turn(thread);
}

int real_thread(pid_t number) {
    struct thread *thread = &first;
    do {
        if ((pid_t)thread->number == number) {
            thread->is_kicked = thread != this_thread();
            return thread == &first ? (int)raw(SYS_getpid) : thread->id;
        }
        thread = thread->next;
    } while (thread != &first);
    return -1;
}

void keep_only_this_thread(void) {
    first = *this_thread();
    first.next = &first;
    first.has_turn = 1;
    mine = &first;
}
