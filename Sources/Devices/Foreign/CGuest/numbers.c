// The numbers of the process and its threads, which programs make seeds and names of: the same in each run, and in each
// copy (asyncio knows by its process's number that it has been forked, and forgets what it was doing).

#include "guest.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { PROCESS = 4000 };

static pid_t real_process(pid_t process) { return process == PROCESS ? (pid_t)raw(SYS_getpid) : process; }

EXPORT pid_t getpid(void) { return is_guest() ? PROCESS : (pid_t)raw(SYS_getpid); }

EXPORT pid_t gettid(void) { return is_guest() ? PROCESS + (pid_t)this_thread()->number : (pid_t)raw(SYS_gettid); }

EXPORT int kill(pid_t process, int number) {
    return (int)raw(SYS_kill, is_guest() ? real_process(process) : process, number);
}

EXPORT int tgkill(pid_t process, pid_t thread, int number) {
    if (!is_guest()) return (int)raw(SYS_tgkill, process, thread, number);
    return (int)raw(SYS_tgkill, real_process(process), real_thread(thread - PROCESS), number);
}

EXPORT int sigqueue(pid_t process, int number, const union sigval value) {
    return REAL(sigqueue)(is_guest() ? real_process(process) : process, number, value);
}
