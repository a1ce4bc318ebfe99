#define _GNU_SOURCE
#include "CDevice.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
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

static ssize_t write_to_joint(void *place, const char *bytes, size_t count) {
    cdevice_joint *joint = place;
    joint->log(joint->host, (const uint8_t *)bytes, count);
    return (ssize_t)count;
}

static FILE *process_output, *joint_output;

void cdevice_print_to_joint(cdevice_joint *joint) {
    if (joint_output == NULL) {
        cookie_io_functions_t functions = {.write = write_to_joint};
        joint_output = fopencookie(joint, "w", functions);
        if (joint_output == NULL) return;
        setvbuf(joint_output, NULL, _IOLBF, 0);
    }
    process_output = stdout;
    stdout = joint_output;
}

void cdevice_print_to_process(void) {
    if (process_output == NULL) return;
    fflush(joint_output);
    stdout = process_output;
    process_output = NULL;
}
