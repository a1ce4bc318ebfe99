// A guest that is started once and copied for each life. Where it reaches for its controller nothing has happened yet
// that belongs to a run, and all that takes long is over: a copy costs less than a millisecond. Chance begins there in
// any case, so that a program that was not copied, and drew nothing that it keeps, has the same run.

#include "guest.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Python seeds `random` where it is imported, which was before the copy; each copy has a seed of its own.
static void reseed_python(void) {
    int (*ensure)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "PyGILState_Ensure");
    void (*release)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "PyGILState_Release");
    int (*run)(const char *) = (int (*)(const char *))dlsym(RTLD_DEFAULT, "PyRun_SimpleString");
    int (*is_there)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "Py_IsInitialized");
    if (ensure == NULL || release == NULL || run == NULL || is_there == NULL || !is_there()) return;
    int state = ensure();
    run("(lambda module: module and module.seed())(__import__('sys').modules.get('random'))");
    release(state);
}

// What the server printed was kept for each copy; what a copy prints goes to the log, unless the program has put
// something else in the place of its output.
static void print_to_log(void) {
    const char *text = getenv("ANECHOIC_GUEST_LOG");
    struct stat kept, now;
    if (text == NULL || fstat(STDERR_FILENO, &kept) < 0) return;
    int log = atoi(text);
    for (int output = STDOUT_FILENO; output <= STDERR_FILENO; output++)
        if (fstat(output, &now) == 0 && now.st_ino == kept.st_ino) raw(SYS_dup3, log, output, 0);
    raw(SYS_close, log);
    unsetenv("ANECHOIC_GUEST_LOG");
}

// The copy takes the place of the socket by which its server hears of the door.
static void become_copy(const struct message *message, int control) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    raw(SYS_dup3, control, guest.control, 0);
    raw(SYS_close, control);
    raw(SYS_fcntl, guest.control, F_SETOWN, raw(SYS_getpid));
    guest.is_server = false;
    print_to_log();
    guest.seed = message->a;
    // Its clocks go on from where they are, and so does what it waits for.
    shift_timers(message->b - guest.now);
    guest.begun += message->b - guest.now;
    guest.now = message->b;
    unsetenv("ANECHOIC_GUEST_FORKS");
    allow_clock(false);
    trap_thread();
    remake_descriptors();
}

static bool is_copy_of(const struct message *message, int control) {
    pid_t child = REAL(fork)();
    if (child == 0) {
        become_copy(message, control);
        return true;
    }
    raw(SYS_close, control);
    if (child > 0) say(FORKED, 0, (uint64_t)child, 0, 0);
    // Not what a door expects, so that it starts the program instead.
    else say(HELLO, 0, 0, VERSION, 0);
    return false;
}

static void reap(pid_t child) {
    int status = 0;
    while (raw(SYS_wait4, child, &status, 0, NULL) < 0 && errno == EINTR) {}
    say(REAPED, 0, (uint64_t)child, (uint64_t)(uint32_t)status, 0);
}

static void serve(void) {
    // One thread is all that a copy has. The door takes this to mean that there will be none.
    if (!is_alone()) raw(SYS_exit_group, 0);
    remember_descriptors();
    say(SNAPSHOT, 0, 0, 0, 0);
    struct message message;
    int control;
    do {
        hear(&message, &control);
        if (message.kind == REAP) reap((pid_t)message.a);
    } while (message.kind != FORK || !is_copy_of(&message, control));
}

void reach(void) {
    static bool has_begun;
    if (has_begun) return;
    has_begun = true;
    int kept = errno;
    if (guest.is_server) serve();
    seed_chance(guest.seed);
    reseed_python();
    end_start();
    errno = kept;
}
