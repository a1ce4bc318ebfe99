// Opening files. Two kinds are not what they seem: those of chance, and the controller's terminal.

#include "guest.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

static bool is_chance(const char *path) {
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    if (!is_guest()) return (int)raw(SYS_openat, folder, path, flags, mode);
    bool is_ours = is_controller_path(path);
    if (is_ours) reach();
    touch(path);
    int descriptor = (int)raw(SYS_openat, folder, path, flags, mode);
    if (descriptor < 0) return -1;
    called("open");
    set_kind(descriptor, is_chance(path) ? CHANCE : PLAIN);
    if (is_ours) connected(descriptor);
    return descriptor;
}

// The mode is there where a file may be made.
#define MODE(flags)                                                    \
    ({                                                                 \
        mode_t mode_ = 0;                                              \
        if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE) { \
            va_list rest_;                                             \
            va_start(rest_, flags);                                    \
            mode_ = va_arg(rest_, mode_t);                             \
            va_end(rest_);                                             \
        }                                                              \
        mode_;                                                         \
    })

EXPORT int open(const char *path, int flags, ...) { return open_at(AT_FDCWD, path, flags, MODE(flags)); }
EXPORT int open64(const char *path, int flags, ...) { return open_at(AT_FDCWD, path, flags, MODE(flags)); }
EXPORT int openat(int folder, const char *path, int flags, ...) { return open_at(folder, path, flags, MODE(flags)); }
EXPORT int openat64(int folder, const char *path, int flags, ...) { return open_at(folder, path, flags, MODE(flags)); }

// As a program has them that was built with _FORTIFY_SOURCE.
int __open_2(const char *path, int flags), __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags), __openat64_2(int folder, const char *path, int flags);
EXPORT int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
EXPORT int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
EXPORT int __openat_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }
EXPORT int __openat64_2(int folder, const char *path, int flags) { return open_at(folder, path, flags, 0); }

static ssize_t read_chance(void *nothing, char *bytes, size_t size) {
    (void)nothing;
    draw_bytes(bytes, size);
    return (ssize_t)size;
}

static FILE *open_chance(void) { return fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_chance}); }

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode) {
    touch(path);
    return is_guest() && is_chance(path) ? open_chance() : REAL(fopen)(path, mode);
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode) {
    touch(path);
    return is_guest() && is_chance(path) ? open_chance() : REAL(fopen64)(path, mode);
}
