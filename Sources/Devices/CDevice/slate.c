#define _GNU_SOURCE
#include "CDevice.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct cdevice_slate {
    // That it is one.
    uint64_t magic;
    // How often a turn has begun or ended: odd in a turn.
    _Atomic uint64_t changes;
    // Whose turn it was last, from 1; 0 before the first.
    _Atomic uint32_t device;
    // Whether the watch has ended the process.
    _Atomic uint32_t is_hung;
};

static const uint64_t magic = 0x6574616c73;

int cdevice_slate_make(void) {
    int descriptor = memfd_create("anechoic-slate", MFD_CLOEXEC);
    if (descriptor < 0) return -1;
    cdevice_slate empty = {.magic = magic};
    if (write(descriptor, &empty, sizeof empty) == sizeof empty) return descriptor;
    close(descriptor);
    return -1;
}

cdevice_slate *cdevice_slate_map(int descriptor) {
    struct stat facts;
    if (fstat(descriptor, &facts) < 0 || facts.st_size != sizeof(cdevice_slate)) return NULL;
    void *place =
        mmap(NULL, sizeof(cdevice_slate), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (place == MAP_FAILED) return NULL;
    cdevice_slate *slate = place;
    if (slate->magic == magic) return slate;
    munmap(place, sizeof *slate);
    return NULL;
}

cdevice_slate *cdevice_own_slate(void) {
    static cdevice_slate *own = NULL;
    static int has_looked = 0;
    if (!has_looked) own = cdevice_slate_map(STDERR_FILENO + 1);
    has_looked = 1;
    return own;
}

void cdevice_slate_unmap(cdevice_slate *slate) { munmap(slate, sizeof *slate); }

void cdevice_slate_begin(cdevice_slate *slate, uint32_t device) {
    atomic_store_explicit(&slate->device, device + 1, memory_order_release);
    uint64_t changes = atomic_load_explicit(&slate->changes, memory_order_relaxed);
    atomic_store_explicit(&slate->changes, changes + 1, memory_order_release);
}

void cdevice_slate_end(cdevice_slate *slate) {
    uint64_t changes = atomic_load_explicit(&slate->changes, memory_order_relaxed);
    atomic_store_explicit(&slate->changes, changes + 1, memory_order_release);
}

int64_t cdevice_slate_device(cdevice_slate *slate) { return (int64_t)atomic_load(&slate->device) - 1; }

int cdevice_slate_is_in_turn(cdevice_slate *slate) { return atomic_load(&slate->changes) % 2; }

int cdevice_slate_is_hung(cdevice_slate *slate) { return (int)atomic_load(&slate->is_hung); }

typedef struct {
    cdevice_slate *slate;
    struct timespec period;
} watch;

// Looks five times in what a turn may take: one that was stopped with its process has as much time as any.
static void *keep_watch(void *place) {
    watch given = *(watch *)place;
    free(place);
    uint64_t seen = 0;
    for (int looks = 0;; nanosleep(&given.period, NULL)) {
        uint64_t changes = atomic_load_explicit(&given.slate->changes, memory_order_acquire);
        looks = changes == seen ? looks + 1 : 0;
        seen = changes;
        if (changes % 2 == 0 || looks < 5) continue;
        atomic_store(&given.slate->is_hung, 1);
        kill(getpid(), SIGKILL);
    }
}

int cdevice_slate_watch(cdevice_slate *slate, uint64_t milliseconds) {
    static int is_watched = 0;
    if (is_watched) return 0;
    watch *given = malloc(sizeof *given);
    if (given == NULL) return -1;
    uint64_t period = milliseconds < 50 ? 10 : milliseconds / 5;
    given->slate = slate;
    given->period.tv_sec = (time_t)(period / 1000);
    given->period.tv_nsec = (long)(period % 1000) * 1000000;
    // Signals are for the thread that plays.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, keep_watch, given);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    is_watched = failure == 0;
    if (is_watched) return pthread_detach(thread);
    free(given);
    return -1;
}
