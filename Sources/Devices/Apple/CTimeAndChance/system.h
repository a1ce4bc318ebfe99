#ifndef ANECHOIC_SYSTEM_H
#define ANECHOIC_SYSTEM_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Asks the kernel, past whatever has the names of the C library; returns -1 with errno set where it fails.
long system_call(long number, long a, long b, long c, long d, long e, long f);

/// Ends the program with a sentence about what cannot be done in a turn, and what to do instead.
_Noreturn void system_refuse(const char *what, const char *instead);

#endif
