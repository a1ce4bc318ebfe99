#define _GNU_SOURCE
#include "CTimeAndChance.h"
#include "CDevice.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

ssize_t getrandom(void *bytes, size_t count, unsigned int flags) {
    if (cdevice_current() == NULL)
        return system_call(SYS_getrandom, (long)bytes, (long)count, flags, 0, 0, 0);
    cdevice_draw(bytes, count);
    return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) {
    return getrandom(bytes, count, 0) == (ssize_t)count ? 0 : -1;
}

void arc4random_buf(void *bytes, size_t count) { getrandom(bytes, count, 0); }

uint32_t arc4random(void) {
    uint32_t number = 0;
    arc4random_buf(&number, sizeof number);
    return number;
}

// Swift's generator asks the kernel in this way.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom) return getrandom((void *)a[0], (size_t)a[1], (unsigned int)a[2]);
    return system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// Foundation reads identifiers (UUID) from this file.
static int open_chance(int flags) {
    unsigned char bytes[4096];
    cdevice_draw(bytes, sizeof bytes);
    int file = memfd_create("urandom", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (file < 0) return -1;
    if (system_call(SYS_write, file, (long)bytes, sizeof bytes, 0, 0, 0) < 0
        || lseek(file, 0, SEEK_SET) != 0)
        return -1;
    return file;
}

static int is_chance(const char *path) {
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
    va_end(list);
    if (cdevice_current() != NULL && is_chance(path)) return open_chance(flags);
    return (int)system_call(SYS_openat, AT_FDCWD, (long)path, flags, mode, 0, 0);
}
