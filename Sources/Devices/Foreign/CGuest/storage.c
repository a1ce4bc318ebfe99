// The guest's storage: a folder that is its own for a run. What is there differs from life to life, so a program that is
// copied has to be copied before it looks: by whatever call, the first path that leads there is where it is copied.

#include "guest.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char storage[4096];

void find_storage(const char *path) {
    if (path != NULL && strlen(path) < sizeof storage) strcpy(storage, path);
}

void touch(const char *path) {
    size_t length = strlen(storage);
    if (path == NULL || !is_guest() || length == 0 || strncmp(path, storage, length) != 0) return;
    if (path[length] == 0 || path[length] == '/') reach();
}

// libc's function of that name, whose `path` is looked at first.
#define TOUCHING(type, name, parameters, ...) \
    EXPORT type name parameters {             \
        touch(path);                          \
        return REAL(name)(__VA_ARGS__);       \
    }

TOUCHING(int, access, (const char *path, int mode), path, mode)
TOUCHING(int, faccessat, (int folder, const char *path, int mode, int flags), folder, path, mode, flags)
TOUCHING(int, eaccess, (const char *path, int mode), path, mode)
TOUCHING(int, euidaccess, (const char *path, int mode), path, mode)
TOUCHING(int, stat, (const char *restrict path, struct stat *restrict it), path, it)
TOUCHING(int, stat64, (const char *restrict path, struct stat64 *restrict it), path, it)
TOUCHING(int, lstat, (const char *restrict path, struct stat *restrict it), path, it)
TOUCHING(int, lstat64, (const char *restrict path, struct stat64 *restrict it), path, it)
TOUCHING(int, fstatat, (int folder, const char *restrict path, struct stat *restrict it, int flags),
         folder, path, it, flags)
TOUCHING(int, fstatat64, (int folder, const char *restrict path, struct stat64 *restrict it, int flags),
         folder, path, it, flags)
TOUCHING(int, statx, (int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict it),
         folder, path, flags, mask, it)
TOUCHING(int, mkdir, (const char *path, mode_t mode), path, mode)
TOUCHING(int, mkdirat, (int folder, const char *path, mode_t mode), folder, path, mode)
TOUCHING(int, chdir, (const char *path), path)
TOUCHING(DIR *, opendir, (const char *path), path)
TOUCHING(int, creat, (const char *path, mode_t mode), path, mode)
TOUCHING(int, creat64, (const char *path, mode_t mode), path, mode)
TOUCHING(FILE *, freopen, (const char *restrict path, const char *restrict mode, FILE *restrict file),
         path, mode, file)
TOUCHING(FILE *, freopen64, (const char *restrict path, const char *restrict mode, FILE *restrict file),
         path, mode, file)
TOUCHING(int, mkstemp, (char *path), path)
TOUCHING(int, mkstemp64, (char *path), path)
TOUCHING(int, mkostemp, (char *path, int flags), path, flags)
TOUCHING(int, mkostemp64, (char *path, int flags), path, flags)
TOUCHING(char *, mkdtemp, (char *path), path)
TOUCHING(int, unlink, (const char *path), path)
TOUCHING(int, unlinkat, (int folder, const char *path, int flags), folder, path, flags)
TOUCHING(int, remove, (const char *path), path)
TOUCHING(int, rmdir, (const char *path), path)
TOUCHING(int, truncate, (const char *path, off_t size), path, size)
TOUCHING(int, truncate64, (const char *path, off64_t size), path, size)
TOUCHING(char *, realpath, (const char *restrict path, char *restrict whole), path, whole)
TOUCHING(char *, canonicalize_file_name, (const char *path), path)
TOUCHING(ssize_t, readlink, (const char *restrict path, char *restrict to, size_t room), path, to, room)
TOUCHING(ssize_t, readlinkat, (int folder, const char *restrict path, char *restrict to, size_t room),
         folder, path, to, room)
TOUCHING(int, rename, (const char *path, const char *to), path, to)
TOUCHING(int, renameat, (int folder, const char *path, int place, const char *to), folder, path, place, to)
TOUCHING(int, scandir,
         (const char *restrict path, struct dirent ***restrict all, int (*is_wanted)(const struct dirent *),
          int (*compare)(const struct dirent **, const struct dirent **)),
         path, all, is_wanted, compare)
TOUCHING(int, scandir64,
         (const char *restrict path, struct dirent64 ***restrict all, int (*is_wanted)(const struct dirent64 *),
          int (*compare)(const struct dirent64 **, const struct dirent64 **)),
         path, all, is_wanted, compare)

// As a program has them that was built with _FORTIFY_SOURCE, or for a libc before 2.33.
char *__realpath_chk(const char *, char *, size_t);
TOUCHING(char *, __realpath_chk, (const char *path, char *whole, size_t room), path, whole, room)
#if defined(__x86_64__)
int __xstat(int, const char *, struct stat *), __lxstat(int, const char *, struct stat *);
int __xstat64(int, const char *, struct stat64 *), __lxstat64(int, const char *, struct stat64 *);
TOUCHING(int, __xstat, (int version, const char *path, struct stat *it), version, path, it)
TOUCHING(int, __lxstat, (int version, const char *path, struct stat *it), version, path, it)
TOUCHING(int, __xstat64, (int version, const char *path, struct stat64 *it), version, path, it)
TOUCHING(int, __lxstat64, (int version, const char *path, struct stat64 *it), version, path, it)
#endif
