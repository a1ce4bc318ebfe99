#include "CDevice.h"

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
