// Children, and becoming another program. A child is not a guest: it works in real time, if it may be there at all. The
// guest itself stays one, whatever program it becomes.

#include "guest.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// While there are children, the guest gives them a second of real time in all before it says that it waits.
enum { LEAST_NAP = 1000000, NAPS = 1000 };
static int naps_left;

static bool may_start(const char *call) {
    static const char *told;
    called(call);
    if (told == NULL || strcmp(told, call) != 0)
        note(guest.may_have_children ? "%s: the child runs outside of virtual time"
                                     : "%s: a guest may have no children", call);
    told = call;
    naps_left = NAPS;
    if (!guest.may_have_children) errno = EPERM;
    return guest.may_have_children;
}

bool await_children(void) {
    if (naps_left == 0) return false;
    siginfo_t info = {0};
    if (raw(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, NULL) < 0) {
        naps_left = 0;
        return false;
    }
    naps_left--;
    raw(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = LEAST_NAP}, NULL);
    return true;
}

// MARK: Becoming another program

static bool is_named(const char *entry, const char *name) {
    size_t length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static const char *const names[] = {"LD_PRELOAD",           "ANECHOIC_GUEST",      "ANECHOIC_GUEST_HCI",
                                    "ANECHOIC_GUEST_FORKS", "PYTHONHASHSEED",      "ANECHOIC_GUEST_CHILDREN",
                                    "ANECHOIC_GUEST_UCI",   "ANECHOIC_GUEST_STORAGE",
                                    "ANECHOIC_GUEST_SEED",  "ANECHOIC_GUEST_NOW",  "ANECHOIC_GUEST_BEGUN"};
enum { NAMES = sizeof names / sizeof *names, FROM_US = 3, SIZE = 4200 };
static char kept[NAMES][SIZE];

// What makes us a guest, as it was at the beginning, and where chance and time are now.
static void keep_variables(void) {
    for (int i = 0; i < NAMES - FROM_US; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && kept[i][0] == 0) snprintf(kept[i], SIZE, "%s=%s", names[i], value);
    }
    snprintf(kept[NAMES - 3], SIZE, "%s=%llx", names[NAMES - 3], (unsigned long long)draw());
    snprintf(kept[NAMES - 2], SIZE, "%s=%llu", names[NAMES - 2], (unsigned long long)guest.now);
    snprintf(kept[NAMES - 1], SIZE, "%s=%llu", names[NAMES - 1], (unsigned long long)guest.begun);
}

__attribute__((constructor)) static void keep_first(void) {
    if (is_guest()) keep_variables();
}

// A copy is not copied again, whatever it becomes.
static bool goes_on(int i) {
    return kept[i][0] != 0 && (guest.is_server || strcmp(names[i], "ANECHOIC_GUEST_FORKS") != 0);
}

static size_t with_ours(char *const environment[], char **more) {
    size_t count = 0;
    for (char *const *entry = environment; entry != NULL && *entry != NULL; entry++) {
        bool is_ours = false;
        for (int i = 0; i < NAMES; i++) is_ours |= kept[i][0] != 0 && is_named(*entry, names[i]);
        if (!is_ours) more[count++] = *entry;
    }
    for (int i = 0; i < NAMES; i++)
        if (goes_on(i)) more[count++] = kept[i];
    more[count] = NULL;
    return count;
}

static size_t length_of(char *const list[]) {
    size_t count = 0;
    while (list != NULL && list[count] != NULL) count++;
    return count;
}

static int become(int (*call)(const char *, char *const[], char *const[]), const char *path, char *const arguments[],
                  char *const environment[]) {
    if (!is_guest()) return call(path, arguments, environment);
    called("execve");
    char *more[length_of(environment) + NAMES + 1];
    keep_variables();
    with_ours(environment, more);
    raw(SYS_fcntl, guest.control, F_SETFD, 0);
    // The loader looks at the processor's clock, and there is nobody yet to answer.
    allow_clock(true);
    int result = call(path, arguments, more);
    allow_clock(false);
    return result;
}

static int execve_raw(const char *path, char *const arguments[], char *const environment[]) {
    return (int)raw(SYS_execve, path, arguments, environment);
}

EXPORT int execve(const char *path, char *const arguments[], char *const environment[]) {
    return become(execve_raw, path, arguments, environment);
}
EXPORT int execv(const char *path, char *const arguments[]) { return execve(path, arguments, environ); }
EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[]) {
    return become(REAL(execvpe), file, arguments, environment);
}
EXPORT int execvp(const char *file, char *const arguments[]) { return execvpe(file, arguments, environ); }

static int execute_descriptor(const char *name, char *const arguments[], char *const environment[]) {
    return (int)raw(SYS_execveat, atoi(name), "", arguments, environment, AT_EMPTY_PATH);
}

EXPORT int fexecve(int descriptor, char *const arguments[], char *const environment[]) {
    char name[16];
    snprintf(name, sizeof name, "%d", descriptor);
    return become(execute_descriptor, name, arguments, environment);
}

// The arguments of a call that names them one by one; behind them the environment, where there is one.
#define LISTED(first, environment_, call)                                    \
    do {                                                                     \
        size_t count_ = 1;                                                   \
        va_list rest_;                                                       \
        va_start(rest_, first);                                              \
        while (va_arg(rest_, char *) != NULL) count_++;                      \
        va_end(rest_);                                                       \
        char *arguments[count_ + 1];                                         \
        arguments[0] = (char *)first;                                        \
        va_start(rest_, first);                                              \
        for (size_t i_ = 1; i_ <= count_; i_++) arguments[i_] = va_arg(rest_, char *); \
        char *const *environment = environment_;                             \
        va_end(rest_);                                                       \
        return call;                                                         \
    } while (0)

EXPORT int execl(const char *path, const char *first, ...) {
    LISTED(first, environ, execve(path, arguments, environment));
}
EXPORT int execlp(const char *file, const char *first, ...) {
    LISTED(first, environ, execvpe(file, arguments, environment));
}
EXPORT int execle(const char *path, const char *first, ...) {
    LISTED(first, va_arg(rest_, char *const *), execve(path, arguments, environment));
}

// MARK: Children

static pid_t forked(pid_t child) {
    if (child != 0) return child;
    // What it becomes is no guest either: the control socket says whose it is (start.c).
    guest.is_on = false;
    keep_only_this_thread();
    raw(SYS_close, guest.control);
    allow_clock(true);
    unsetenv("LD_PRELOAD");
    unsetenv("ANECHOIC_GUEST");
    return 0;
}

EXPORT pid_t fork(void) {
    if (!is_guest()) return REAL(fork)();
    return may_start("fork") ? forked(REAL(fork)()) : -1;
}

EXPORT pid_t _Fork(void) {
    if (!is_guest()) return REAL(_Fork)();
    return may_start("fork") ? forked(REAL(_Fork)()) : -1;
}

// Its child lives in our stack, which a function of ours cannot lend.
EXPORT pid_t vfork(void) { return fork(); }

// The call makes a child that becomes a program at once.
#define SPAWNED(name, call, refused)          \
    do {                                      \
        if (!is_guest()) return call;         \
        if (!may_start(name)) return refused; \
        allow_clock(true);                    \
        __typeof__(call) result_ = call;      \
        allow_clock(false);                   \
        return result_;                       \
    } while (0)

EXPORT int posix_spawn(
    pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]) {
    SPAWNED("posix_spawn", REAL(posix_spawn)(child, path, actions, attributes, arguments, environment), EPERM);
}

EXPORT int posix_spawnp(
    pid_t *restrict child, const char *restrict file, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]) {
    SPAWNED("posix_spawn", REAL(posix_spawnp)(child, file, actions, attributes, arguments, environment), EPERM);
}

EXPORT int system(const char *command) {
    if (is_guest() && command == NULL) return guest.may_have_children;
    SPAWNED("system", REAL(system)(command), -1);
}

EXPORT FILE *popen(const char *command, const char *mode) { SPAWNED("popen", REAL(popen)(command, mode), NULL); }

EXPORT int daemon(int stays, int speaks) {
    if (!is_guest()) return REAL(daemon)(stays, speaks);
    note("daemon: a guest stays in the foreground");
    errno = EPERM;
    return -1;
}

// MARK: Waiting for children

struct ending {
    idtype_t type;
    id_t id;
    int options;
};

static bool has_ended(void *what) {
    struct ending *ending = what;
    siginfo_t info = {0};
    int options = (ending->options & ~WCONTINUED) | WEXITED | WNOHANG | WNOWAIT;
    long result = raw(SYS_waitid, ending->type, ending->id, &info, options, NULL);
    return result < 0 || info.si_pid != 0;
}

// Whether the call may be made now.
static bool await_end(idtype_t type, id_t id, int options) {
    called("wait");
    struct ending ending = {type, id, options & (WUNTRACED | WCONTINUED)};
    int before = errno;
    if (has_ended(&ending)) {
        errno = before;
        return true;
    }
    if ((options & WNOHANG) != 0) {
        looked();
        return true;
    }
    struct wait wait = {.until = NEVER, .is_ready = has_ended, .what = &ending, .is_cancellable = true};
    enum outcome outcome;
    do outcome = wait_for(&wait);
    while (outcome == INTERRUPTED && wait.restarts);
    if (outcome == READY) return true;
    errno = EINTR;
    return false;
}

EXPORT pid_t wait4(pid_t child, int *status, int options, struct rusage *usage) {
    idtype_t type = child == -1 ? P_ALL : child > 0 ? P_PID : P_PGID;
    if (is_guest() && !await_end(type, child == -1 ? 0 : (id_t)abs(child), options)) return -1;
    return (pid_t)raw(SYS_wait4, child, status, options, usage);
}

EXPORT pid_t wait3(int *status, int options, struct rusage *usage) { return wait4(-1, status, options, usage); }
EXPORT pid_t waitpid(pid_t child, int *status, int options) { return wait4(child, status, options, NULL); }
EXPORT pid_t wait(int *status) { return wait4(-1, status, 0, NULL); }

EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
    if (is_guest() && !await_end(type, id, options)) return -1;
    return (int)raw(SYS_waitid, type, id, info, options, NULL);
}
