// What the parts of the guest's library know of each other.
#ifndef GUEST_H
#define GUEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "control.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

// All else is hidden; these are what the program finds in place of libc's.
#define EXPORT __attribute__((visibility("default")))

// libc's function of that name.
#define REAL(name)                                                            \
    ({                                                                        \
        static __typeof__(name) *real_##name;                                 \
        if (real_##name == NULL) real_##name = (__typeof__(name) *)next_function(#name); \
        real_##name;                                                          \
    })
void *next_function(const char *name);

// A system call as it is: from libc's own text, which is never trapped (trap.c).
#define raw(...) real_syscall()(__VA_ARGS__)
long (*real_syscall(void))(long number, ...);

struct guest {
    bool is_tried, is_on;
    int control;
    bool is_server;      // waits to be copied where it reaches for its controller
    uint64_t seed;
    bool may_have_children;
    uint64_t now;        // virtual nanoseconds since the run began
    uint64_t begun;      // when this program was started; a copy was at its own beginning
    uint64_t written;    // bytes on the connection to the controller
    uint64_t connections;
    bool is_listening;   // for the door, which has to hear of it
    uint32_t calls;      // a hash of what was called in this turn
};
extern struct guest guest;

// start.c. Whether this process is a guest; everything passes through where it is not. A library that was loaded
// before us may call before our constructor runs.
void start_guest(void);
static inline bool is_guest(void) {
    if (__builtin_expect(!guest.is_tried, 0)) start_guest();
    return guest.is_on;
}

// calls.c. Notes down that a function was called, for the hash of the turn and for TELL.
void called(const char *name);
void tell_calls(void);
void forget_calls(void);

// turn.c: who works, and what the others wait for.
enum outcome { READY, TIMEOUT, INTERRUPTED };

struct wait {
    uint64_t until;              // a moment of `guest.now`
    const void *address;         // wake() ends it
    bool (*is_ready)(void *);    // so does this, asked of `what`
    void *what;
    const sigset_t *mask;        // signals that are blocked meanwhile; NULL: as they are
    bool is_cancellable;
    bool is_woken;
    bool restarts;               // it was interrupted by handlers that want it to go on (SA_RESTART)
    uint64_t order;
};

struct thread {
    struct thread *next;         // by number, round and round
    uint32_t number;
    uint32_t has_turn;           // a futex
    struct wait *wait;           // NULL: it could work
    sigset_t mask;               // its blocked signals while it waits
    bool is_kicked;              // a signal, or its cancellation, was sent to it alone
    bool is_cancelled, is_over, is_detached;
    pthread_t handle;
    int id;
    void *(*start)(void *);
    void *argument;
    int rounds;                  // of destructors that are still to come
};

struct thread *this_thread(void);
bool is_alone(void);
enum outcome wait_for(struct wait *wait);
// Waits until that moment, or for ever.
enum outcome wait_until(uint64_t moment);
// Ends waits at that address, the longest first; says how many.
int wake(const void *address, int most);
// Lets the others work, if they can.
void hand_on(void);
// The program looked at something that only time will change. Time goes on a little with each of many looks, so that
// a loop over them ends.
void looked(void);
// The start of the program is over, and with it the time for which looks are free.
void end_start(void);
// Joins the ring of threads.
void add_thread(struct thread *thread);
// Waits to be given the turn for the first time.
void begin_thread(struct thread *thread);
// Leaves the ring, and gives the turn to the next for good.
void end_thread(struct thread *thread);
// The system's number of the thread that has ours, which a signal is about to be sent to.
int real_thread(pid_t number);
// In a copy there is only this thread.
void keep_only_this_thread(void);

// time.c
uint64_t nanoseconds(const struct timespec *time);
struct timespec timespec_of(uint64_t nanoseconds);
// What a clock shows, and the moment of `guest.now` when it will show that.
uint64_t clock_shows(clockid_t clock);
uint64_t moment_of(clockid_t clock, const struct timespec *time);
// The same where a call does not say which clock it means: no day of ours is before 1990, and no uptime is that long.
uint64_t moment_of_any(const struct timespec *time);
// That long from now; NULL is for ever.
uint64_t moment_after(const struct timespec *length);
uint64_t moment_after_ms(int milliseconds);

// timers.c
uint64_t next_timer(void);
// The moment that it is has another number; what is set goes off as far from it as before.
void shift_timers(uint64_t by);
void fire_timers(void);
void close_timer(int descriptor);

// chance.c
void seed_chance(uint64_t seed);
uint64_t draw(void);
void draw_bytes(void *bytes, size_t count);

// descriptors.c: what we have to know of them.
enum kind { PLAIN, HCI, HCI_LISTENER, TIMER, CHANCE };
enum kind kind_of(int descriptor);
void set_kind(int descriptor, enum kind kind);
bool is_blocking(int descriptor);
// Whether a poll would find `events`, by a look at it now.
bool has_events(int descriptor, short events);
// Waits for `events` as a call without a poll would. READY also where the descriptor never waits.
enum outcome wait_for_events(int descriptor, short events, int timeout_option);

// hci.c: the way to the controller.
void find_controller(const char *name);
bool is_controller_path(const char *path);
void count_received(long bytes);
// How many of so many bytes a read may ask for.
size_t size_to_read(size_t size);
// Waits, in real time, until so many bytes have come through the system.
void await_bytes(uint64_t total);
void connected(int descriptor);

// server.c: the program is about to reach for its controller, and can be copied here.
void reach(void);
// storage.c: the program looks for a file by its path; where that is in its storage, it can be copied here.
void find_storage(const char *path);
void touch(const char *path);
// copies.c: gives a copy descriptors of its own in place of those it shares with the others.
void remember_descriptors(void);
void remake_descriptors(void);

// children.c
// Children work in real time. While one has some of its left to answer, so does the guest: true where it did.
bool await_children(void);
// trap.c: calls past libc, and the processor's own clock.
void set_traps(void);
void trap_thread(void);
void allow_clock(bool is_allowed);
long emulate(long number, const long *arguments, bool *is_known);

#endif
