// Locks. The thread that works takes what is free without a wait; where it is not, it waits at the lock's address until
// another thread of ours lets go of it. The turn makes every step of this whole.

#include "guest.h"

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>

// Tries until it is had, or the moment has come; EBUSY means that it is not free.
#define TAKE(attempt, address_, moment)                                    \
    ({                                                                     \
        int result_;                                                       \
        while ((result_ = (attempt)) == EBUSY) {                           \
            struct wait wait_ = {.until = (moment), .address = (address_)}; \
            if (wait_for(&wait_) == TIMEOUT) {                             \
                result_ = ETIMEDOUT;                                       \
                break;                                                     \
            }                                                              \
        }                                                                  \
        result_;                                                           \
    })

// MARK: Mutexes

// A mutex that finds a second lock by its owner says so at once, and never waits for it.
static bool is_own(pthread_mutex_t *mutex) {
    return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK && mutex->__data.__owner == (int)raw(SYS_gettid);
}

static int take_mutex(pthread_mutex_t *mutex, uint64_t moment) {
    int result = REAL(pthread_mutex_trylock)(mutex);
    if (result != EBUSY) return result;
    if (is_own(mutex)) return EDEADLK;
    return TAKE(REAL(pthread_mutex_trylock)(mutex), mutex, moment);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!is_guest()) return REAL(pthread_mutex_lock)(mutex);
    return take_mutex(mutex, NEVER);
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    int result = REAL(pthread_mutex_trylock)(mutex);
    if (result == EBUSY && is_guest()) hand_on();
    return result;
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(pthread_mutex_timedlock)(mutex, time);
    return take_mutex(mutex, moment_of(CLOCK_REALTIME, time));
}

EXPORT int pthread_mutex_clocklock(
    pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(pthread_mutex_clocklock)(mutex, clock, time);
    return take_mutex(mutex, moment_of(clock, time));
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    int result = REAL(pthread_mutex_unlock)(mutex);
    if (result == 0 && is_guest() && !is_alone()) wake(mutex, 1);
    return result;
}

// MARK: Condition variables
// Only their address is used; nobody but us ever waits at one.

static void relock(void *mutex) { take_mutex(mutex, NEVER); }

static int wait_at(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t moment) {
    called("pthread_cond_wait");
    struct wait wait = {.until = moment, .address = condition, .is_cancellable = true};
    enum outcome outcome = TIMEOUT;
    int result = pthread_mutex_unlock(mutex);
    if (result != 0) return result;
    pthread_cleanup_push(relock, mutex);
    // A handler of a signal runs and the wait goes on.
    while ((outcome = wait_for(&wait)) == INTERRUPTED) {}
    pthread_cleanup_pop(0);
    result = take_mutex(mutex, NEVER);
    return result != 0 ? result : outcome == TIMEOUT ? ETIMEDOUT : 0;
}

EXPORT int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
    if (!is_guest()) return REAL(pthread_cond_wait)(condition, mutex);
    return wait_at(condition, mutex, NEVER);
}

EXPORT int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(pthread_cond_timedwait)(condition, mutex, time);
    return wait_at(condition, mutex, moment_of_any(time));
}

EXPORT int pthread_cond_clockwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
    const struct timespec *restrict time) {
    if (!is_guest()) return REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
    return wait_at(condition, mutex, moment_of(clock, time));
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition) {
    if (!is_guest()) return REAL(pthread_cond_signal)(condition);
    wake(condition, 1);
    return 0;
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (!is_guest()) return REAL(pthread_cond_broadcast)(condition);
    wake(condition, INT_MAX);
    return 0;
}

// MARK: Semaphores

static int take_semaphore(sem_t *semaphore, uint64_t moment) {
    while (REAL(sem_trywait)(semaphore) < 0) {
        if (errno != EAGAIN) return -1;
        called("sem_wait");
        struct wait wait = {.until = moment, .address = semaphore, .is_cancellable = true};
        enum outcome outcome = wait_for(&wait);
        if (outcome == READY || (outcome == INTERRUPTED && wait.restarts)) continue;
        errno = outcome == TIMEOUT ? ETIMEDOUT : EINTR;
        return -1;
    }
    return 0;
}

EXPORT int sem_wait(sem_t *semaphore) {
    if (!is_guest()) return REAL(sem_wait)(semaphore);
    return take_semaphore(semaphore, NEVER);
}

EXPORT int sem_trywait(sem_t *semaphore) {
    int result = REAL(sem_trywait)(semaphore);
    if (result < 0 && errno == EAGAIN && is_guest()) {
        hand_on();
        errno = EAGAIN;
    }
    return result;
}

EXPORT int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(sem_timedwait)(semaphore, time);
    return take_semaphore(semaphore, moment_of(CLOCK_REALTIME, time));
}

EXPORT int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(sem_clockwait)(semaphore, clock, time);
    return take_semaphore(semaphore, moment_of(clock, time));
}

EXPORT int sem_post(sem_t *semaphore) {
    int result = REAL(sem_post)(semaphore);
    if (result == 0 && is_guest()) wake(semaphore, 1);
    return result;
}

// MARK: Locks of readers and writers

#define READ(lock, moment) TAKE(REAL(pthread_rwlock_tryrdlock)(lock), lock, moment)
#define WRITE(lock, moment) TAKE(REAL(pthread_rwlock_trywrlock)(lock), lock, moment)

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    return is_guest() ? READ(lock, NEVER) : REAL(pthread_rwlock_rdlock)(lock);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    return is_guest() ? WRITE(lock, NEVER) : REAL(pthread_rwlock_wrlock)(lock);
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(pthread_rwlock_timedrdlock)(lock, time);
    return READ(lock, moment_of(CLOCK_REALTIME, time));
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(pthread_rwlock_timedwrlock)(lock, time);
    return WRITE(lock, moment_of(CLOCK_REALTIME, time));
}

EXPORT int pthread_rwlock_clockrdlock(
    pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(pthread_rwlock_clockrdlock)(lock, clock, time);
    return READ(lock, moment_of(clock, time));
}

EXPORT int pthread_rwlock_clockwrlock(
    pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict time) {
    if (!is_guest()) return REAL(pthread_rwlock_clockwrlock)(lock, clock, time);
    return WRITE(lock, moment_of(clock, time));
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    int result = REAL(pthread_rwlock_unlock)(lock);
    if (result == 0 && is_guest() && !is_alone()) wake(lock, INT_MAX);
    return result;
}

// MARK: Spin locks, barriers and what is done once

EXPORT int pthread_spin_lock(pthread_spinlock_t *lock) {
    if (!is_guest()) return REAL(pthread_spin_lock)(lock);
    while (REAL(pthread_spin_trylock)(lock) == EBUSY) hand_on();
    return 0;
}

// Ours, laid over the object, which nobody else looks into.
struct barrier {
    unsigned threads, arrived;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "a barrier has room for ours");

EXPORT int pthread_barrier_init(
    pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes, unsigned threads) {
    if (!is_guest() || threads == 0) return REAL(pthread_barrier_init)(barrier, attributes, threads);
    *(struct barrier *)barrier = (struct barrier){.threads = threads};
    return 0;
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier) {
    if (!is_guest()) return REAL(pthread_barrier_wait)(barrier);
    struct barrier *ours = (struct barrier *)barrier;
    if (++ours->arrived == ours->threads) {
        ours->arrived = 0;
        wake(barrier, INT_MAX);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    struct wait wait = {.until = NEVER, .address = barrier};
    while (wait_for(&wait) != READY) {}
    return 0;
}

EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    return is_guest() ? 0 : REAL(pthread_barrier_destroy)(barrier);
}

// While a thread is at it the others wait with us, not in libc, where they would keep the turn.
static struct once {
    const pthread_once_t *control;
    struct once *next;
} *ongoing;

static void end_once(void *what) {
    struct once **place = &ongoing;
    while (*place != what) place = &(*place)->next;
    const void *control = (*place)->control;
    *place = (*place)->next;
    wake(control, INT_MAX);
}

static bool is_ongoing(const pthread_once_t *control) {
    for (struct once *each = ongoing; each != NULL; each = each->next)
        if (each->control == control) return true;
    return false;
}

EXPORT int pthread_once(pthread_once_t *control, void (*start)(void)) {
    if (!is_guest()) return REAL(pthread_once)(control, start);
    while (is_ongoing(control)) {
        struct wait wait = {.until = NEVER, .address = control};
        wait_for(&wait);
    }
    struct once once = {control, ongoing};
    ongoing = &once;
    int result;
    pthread_cleanup_push(end_once, &once);
    result = REAL(pthread_once)(control, start);
    pthread_cleanup_pop(1);
    return result;
}
