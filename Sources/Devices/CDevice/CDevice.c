#define _GNU_SOURCE
#include "CDevice.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static _Thread_local void *current = NULL;

void *cdevice_current(void) { return current; }

void cdevice_set_current(void *device) { current = device; }

static cdevice_source source;

void cdevice_set_source(cdevice_source given) { source = given; }

int cdevice_has_source(void) { return source.now != NULL; }

uint64_t cdevice_now(void) { return source.now == NULL ? 0 : source.now(current); }

void cdevice_draw(void *bytes, size_t count) {
    if (source.draw != NULL) source.draw(current, bytes, count);
}

int cdevice_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

int cdevice_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    int failure = errno;
    close(descriptor);
    errno = failure;
    return -1;
}

void cdevice_print_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

cdevice_entry *cdevice_load(const char *path, const char *name, const char **error) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *entry = library == NULL ? NULL : dlsym(library, name);
    *error = entry == NULL ? dlerror() : NULL;
    return (cdevice_entry *)entry;
}

// The log that a line goes to: a joint's, or this process's own.
static void put(cdevice_joint *joint, const char *bytes, size_t count) {
    if (joint != NULL) return joint->log(joint->host, (const uint8_t *)bytes, count);
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written < 0 && errno != EINTR) return;
        if (written > 0) bytes += written, count -= (size_t)written;
    }
}

// Writes what was printed, each line behind the moment of its turn.
static ssize_t put_lines(void *place, const char *bytes, size_t count) {
    static int is_begin = 1;
    for (const char *end = bytes + count, *next; bytes < end; bytes = next) {
        next = memchr(bytes, '\n', (size_t)(end - bytes));
        next = next == NULL ? end : next + 1;
        size_t length = (size_t)(next - bytes), head = 0;
        char *line = malloc(length + 48);
        if (line == NULL) return 0;
        if (is_begin && current != NULL && source.now != NULL) {
            uint64_t now = source.now(current) / 1000;
            head = (size_t)snprintf(line, 48, "[%llu.%06llu s] ", (unsigned long long)(now / 1000000),
                                    (unsigned long long)(now % 1000000));
        }
        memcpy(line + head, bytes, length);
        put(place, line, head + length);
        free(line);
        is_begin = next[-1] == '\n';
    }
    return (ssize_t)count;
}

static FILE *lines(cdevice_joint *joint) {
    cookie_io_functions_t functions = {.write = put_lines};
    FILE *file = fopencookie(joint, "w", functions);
    if (file != NULL) setvbuf(file, NULL, _IOLBF, 0);
    return file;
}

void cdevice_print_in_time(void) {
    FILE *file = lines(NULL);
    if (file != NULL) stdout = file;
}

static FILE *process_output, *joint_output;

void cdevice_print_to_joint(cdevice_joint *joint) {
    if (joint_output == NULL) joint_output = lines(joint);
    if (joint_output == NULL) return;
    process_output = stdout;
    stdout = joint_output;
}

void cdevice_print_to_process(void) {
    if (process_output == NULL) return;
    fflush(joint_output);
    stdout = process_output;
    process_output = NULL;
}
