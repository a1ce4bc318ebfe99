#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// What anechoic needs of address space before its first line, in KiB; with less the runtime of its language ends it
// without a word.
enum { LEAST = 131072 };

// Before all of that: whoever has less is told, by the status of an error that is no device's.
__attribute__((constructor(101))) static void demand_room(void) {
    struct rlimit limit;
    if (strcmp(program_invocation_short_name, "anechoic") != 0) return;
    if (getrlimit(RLIMIT_AS, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY) return;
    if (limit.rlim_cur >= LEAST * 1024ul) return;
    char words[200];
    int length = snprintf(words, sizeof words,
                          "there are %lu KB of address space (ulimit -v); expected at least %d, and more for many devices\n",
                          (unsigned long)limit.rlim_cur / 1024, LEAST);
    if (length > 0 && write(STDERR_FILENO, words, (size_t)length) < 0) _exit(70);
    _exit(70);
}
