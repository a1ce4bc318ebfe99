// The beginning of a guest.

#include "guest.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t number(const char *name, int base) {
    const char *text = getenv(name);
    return text == NULL ? 0 : strtoull(text, NULL, base);
}

// Whether the descriptor is the way to a door, and ours. A child has it too, but the socket knows whose it is, since a
// socket has an owner (for signals, which nobody wants here), and keeps it when a program becomes another one.
static bool is_ours(int descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    if (raw(SYS_getsockopt, descriptor, SOL_SOCKET, SO_TYPE, &type, &size) < 0 || type != SOCK_SEQPACKET) return false;
    int owner = (int)raw(SYS_fcntl, descriptor, F_GETOWN), self = (int)raw(SYS_getpid);
    if (owner == 0) raw(SYS_fcntl, descriptor, F_SETOWN, self);
    return owner == 0 || owner == self;
}

// Where no program of itself puts anything, and the numbers of the guest's own descriptors do not depend on it.
static void move_control(void) {
    enum { FAR = 1000 };
    if (guest.control >= FAR) return;
    int far = (int)raw(SYS_fcntl, guest.control, F_DUPFD, FAR);
    if (far < 0) return;
    raw(SYS_close, guest.control);
    guest.control = far;
    char text[16];
    snprintf(text, sizeof text, "%d", far);
    setenv("ANECHOIC_GUEST", text, 1);
}

void start_guest(void) {
    // libc has not seen its environment yet; whoever asks so early asks again.
    if (environ == NULL) return;
    guest.is_tried = true;
    const char *control = getenv("ANECHOIC_GUEST");
    if (control == NULL) return;
    int kept = errno;
    guest.control = atoi(control);
    if (is_ours(guest.control)) {
        move_control();
        const char *children = getenv("ANECHOIC_GUEST_CHILDREN");
        guest.may_have_children = children != NULL && strcmp(children, "allow") == 0;
        guest.is_server = number("ANECHOIC_GUEST_FORKS", 10) == 1;
        guest.now = guest.begun = number("ANECHOIC_GUEST_NOW", 10);
        if (getenv("ANECHOIC_GUEST_BEGUN") != NULL) guest.begun = number("ANECHOIC_GUEST_BEGUN", 10);
        guest.seed = number("ANECHOIC_GUEST_SEED", 16);
        // The seed itself is for what comes after the start (server.c).
        seed_chance(~guest.seed);
        find_controller(getenv("ANECHOIC_GUEST_HCI"));
        find_storage(getenv("ANECHOIC_GUEST_STORAGE"));
        forget_calls();
        guest.is_on = true;
    }
    errno = kept;
}

__attribute__((constructor)) static void start(void) {
    if (!is_guest()) return;
    // Where memory comes from may depend on threads, and orders of addresses on that.
    mallopt(M_ARENA_MAX, 1);
    // What it prints is seen up to a crash.
    setvbuf(stdout, NULL, _IOLBF, 0);
    // From these a program may make keys of its own.
    void *bytes = (void *)getauxval(AT_RANDOM);
    if (bytes != NULL) draw_bytes(bytes, 16);
    set_traps();
    say(HELLO, guest.is_server ? CAN_FORK : 0, (uint64_t)raw(SYS_getpid), VERSION, 0);
}
