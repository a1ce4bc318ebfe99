// The functions behind ours.

#include "guest.h"

#include <dlfcn.h>
#include <stdlib.h>

void *next_function(const char *name) {
    int kept = errno;
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) abort();
    errno = kept;
    return function;
}

long (*real_syscall(void))(long number, ...) {
    static long (*real)(long number, ...);
    if (real == NULL) real = (long (*)(long, ...))next_function("syscall");
    return real;
}
