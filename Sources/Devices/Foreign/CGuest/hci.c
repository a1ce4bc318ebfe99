// The way to the controller: a socket or terminal whose address the environment names. We see the program open it, and
// count its bytes, so that the door knows what is still on its way through the system. Other ways out of the process
// lead out of virtual time, and the log says so.

#include "guest.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

enum { NOWHERE, UNIX, TCP, TERMINAL };

static struct {
    int transport;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    uint16_t port;
    int connection;
    uint64_t received, total;  // what the program has read, and what it was sent
} hci = {.connection = -1};

// `unix:PATH`, `tcp:127.0.0.1:PORT` or `tcp:PORT`, `pty:PATH`.
void find_controller(const char *name) {
    if (name == NULL) return;
    const char *address = strchr(name, ':');
    if (address++ == NULL || strlen(address) >= sizeof hci.path) return;
    hci.transport = strncmp(name, "unix:", 5) == 0 ? UNIX : strncmp(name, "tcp:", 4) == 0 ? TCP : TERMINAL;
    strcpy(hci.path, address);
    const char *port = strrchr(address, ':');
    if (hci.transport == TCP) hci.port = (uint16_t)atoi(port == NULL ? address : port + 1);
}

bool is_controller_path(const char *path) { return hci.transport == TERMINAL && strcmp(path, hci.path) == 0; }

static bool is_controller(const struct sockaddr *address, socklen_t size) {
    if (size < sizeof address->sa_family) return false;
    switch (address->sa_family) {
    case AF_UNIX: {
        const struct sockaddr_un *local = (const struct sockaddr_un *)address;
        size_t room = size - offsetof(struct sockaddr_un, sun_path);
        return hci.transport == UNIX && strnlen(local->sun_path, room) == strlen(hci.path) &&
               memcmp(local->sun_path, hci.path, strlen(hci.path)) == 0;
    }
    case AF_INET: return hci.transport == TCP && ntohs(((const struct sockaddr_in *)address)->sin_port) == hci.port;
    case AF_INET6: return hci.transport == TCP && ntohs(((const struct sockaddr_in6 *)address)->sin6_port) == hci.port;
    default: return false;
    }
}

// A UWB chip has a unix socket, which needs no counting.
static bool is_chip(const struct sockaddr *address, socklen_t size) {
    const char *chip = getenv("ANECHOIC_GUEST_UCI");
    size_t length = chip == NULL ? 0 : strlen(chip), start = offsetof(struct sockaddr_un, sun_path);
    return length > 0 && size >= start + length && address->sa_family == AF_UNIX &&
           strncmp(((const struct sockaddr_un *)address)->sun_path, chip, size - start) == 0;
}

void connected(int descriptor) {
    set_kind(descriptor, HCI);
    hci.connection = descriptor;
    guest.connections++;
    // The door counts anew with each connection; a terminal is one for ever.
    if (hci.transport == TERMINAL) return;
    guest.written = 0;
    hci.received = hci.total = 0;
    int yes = 1;
    // The door waits for what we have written; the system would keep it back for more to come.
    if (hci.transport == TCP) raw(SYS_setsockopt, descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// MARK: What is on its way
// A unix socket has at once what is written to its other end. Others have it soon, or, where it is much, so many bytes
// of it: the rest comes when those are read. A read gets no more than is sure to be there.

static uint64_t sure(void) { return hci.transport == TCP ? 4096 : 128; }

static bool has_arrived(void) {
    int waiting = 0;
    if (raw(SYS_ioctl, hci.connection, FIONREAD, &waiting) < 0 || (uint64_t)waiting >= sure()) return true;
    if (hci.transport == TERMINAL) return hci.received + (uint64_t)waiting >= hci.total;
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (raw(SYS_getsockopt, hci.connection, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return true;
    return info.tcpi_bytes_received >= hci.total;
}

void await_bytes(uint64_t total) {
    hci.total = total;
    if (hci.transport == UNIX || kind_of(hci.connection) != HCI) return;
    int kept = errno;
    // In vain where the program has read or dropped some by a way that we do not see. That shows at the first time.
    static bool is_vain;
    struct timespec pause = {.tv_nsec = 20000};
    for (int attempt = 0; !is_vain && !has_arrived(); attempt++) {
        raw(attempt < 1000 ? SYS_sched_yield : SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
        if (attempt < 20000) continue;
        is_vain = true;
        note("reads its controller's bytes unseen; they are no longer waited for");
    }
    errno = kept;
}

void count_received(long bytes) {
    hci.received += (uint64_t)bytes;
    if (hci.received < hci.total) await_bytes(hci.total);
}

size_t size_to_read(size_t size) {
    bool is_all = hci.transport == UNIX || hci.received + sure() >= hci.total;
    return is_all || size < sure() ? size : sure();
}

// MARK: Other ways

static void describe(const struct sockaddr *address, socklen_t size, char *text, size_t room) {
    char host[INET6_ADDRSTRLEN] = "";
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
        snprintf(text, room, "%s:%u", host, ntohs(four->sin_port));
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
        inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
        snprintf(text, room, "[%s]:%u", host, ntohs(six->sin6_port));
    } else if (address->sa_family == AF_UNIX && size > offsetof(struct sockaddr_un, sun_path)) {
        const char *path = ((const struct sockaddr_un *)address)->sun_path;
        int length = (int)(size - offsetof(struct sockaddr_un, sun_path));
        snprintf(text, room, "%s%.*s", *path == 0 ? "@" : "", *path == 0 ? length - 1 : length, path + (*path == 0));
    } else {
        snprintf(text, room, "an address of family %d", address->sa_family);
    }
}

// Once for each address.
static void tell_of(const char *what, const struct sockaddr *address, socklen_t size) {
    static uint32_t told[64];
    static int count;
    char text[200];
    if (address == NULL || size < sizeof address->sa_family || address->sa_family == AF_UNSPEC) return;
    describe(address, size, text, sizeof text);
    uint32_t hash = 2166136261;
    for (const char *byte = what; *byte != 0; byte++) hash = (hash ^ (uint8_t)*byte) * 16777619;
    for (const char *byte = text; *byte != 0; byte++) hash = (hash ^ (uint8_t)*byte) * 16777619;
    for (int i = 0; i < count; i++)
        if (told[i] == hash) return;
    if (count < 64) told[count++] = hash;
    note("%s %s, outside of virtual time", what, text);
}

// MARK: Sockets

// Room for a flood of small events, each of which costs the system a kilobyte; where there is none it drops what comes,
// and has it sent again when it sees fit. An ordinary user may have less than this.
static void make_wide(int descriptor) {
    int size = 4 << 20;
    if (hci.transport != TCP) return;
    if (raw(SYS_setsockopt, descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0)
        raw(SYS_setsockopt, descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

EXPORT int connect(int descriptor, __CONST_SOCKADDR_ARG to, socklen_t size) {
    const struct sockaddr *address = to.__sockaddr__;
    if (!is_guest()) return (int)raw(SYS_connect, descriptor, address, size);
    called(__func__);
    bool is_ours = is_controller(address, size);
    if (is_ours) {
        reach();
        make_wide(descriptor);
    } else if (is_chip(address, size)) {
        reach();
    } else {
        tell_of("opens a connection to", address, size);
    }
    int result = (int)raw(SYS_connect, descriptor, address, size), failure = errno;
    if (is_ours && (result == 0 || failure == EINPROGRESS)) {
        // It is there before the call is over, so that a look at it does not depend on the system's pace.
        struct pollfd done = {.fd = descriptor, .events = POLLOUT};
        struct timespec most = {.tv_sec = 1};
        if (result < 0) raw(SYS_ppoll, &done, 1, &most, NULL, 0);
        if ((done.revents & POLLERR) == 0) connected(descriptor);
    }
    errno = failure;
    return result;
}

// An earlier life may have left its socket there, or the system remembers its connection.
static void make_room(int descriptor) {
    int yes = 1;
    if (hci.transport == UNIX) raw(SYS_unlinkat, AT_FDCWD, hci.path, 0);
    else raw(SYS_setsockopt, descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

EXPORT int bind(int descriptor, __CONST_SOCKADDR_ARG at, socklen_t size) {
    const struct sockaddr *address = at.__sockaddr__;
    if (!is_guest()) return (int)raw(SYS_bind, descriptor, address, size);
    called(__func__);
    bool is_ours = is_controller(address, size);
    if (is_ours) {
        reach();
        make_room(descriptor);
        make_wide(descriptor);
    } else {
        tell_of("has a socket at", address, size);
    }
    int result = (int)raw(SYS_bind, descriptor, address, size);
    if (is_ours && result == 0) set_kind(descriptor, HCI_LISTENER);
    return result;
}

EXPORT int listen(int descriptor, int most) {
    int result = (int)raw(SYS_listen, descriptor, most);
    if (result == 0 && is_guest() && kind_of(descriptor) == HCI_LISTENER) guest.is_listening = true;
    return result;
}

EXPORT int accept4(int descriptor, __SOCKADDR_ARG from, socklen_t *restrict size, int flags) {
    struct sockaddr *address = from.__sockaddr__;
    if (!is_guest()) return (int)raw(SYS_accept4, descriptor, address, size, flags);
    called(__func__);
    if (wait_for_events(descriptor, POLLIN, SO_RCVTIMEO) != READY) return -1;
    int result = (int)raw(SYS_accept4, descriptor, address, size, flags);
    if (result >= 0 && kind_of(descriptor) == HCI_LISTENER) connected(result);
    return result;
}

EXPORT int accept(int descriptor, __SOCKADDR_ARG from, socklen_t *restrict size) {
    return accept4(descriptor, from, size, 0);
}

// A terminal's bytes that are dropped unread have come, too.
EXPORT int tcflush(int descriptor, int queue) {
    int waiting = 0;
    if (is_guest() && kind_of(descriptor) == HCI && queue != TCOFLUSH)
        raw(SYS_ioctl, descriptor, FIONREAD, &waiting);
    int result = (int)raw(SYS_ioctl, descriptor, TCFLSH, queue);
    if (result == 0) hci.received += (uint64_t)waiting;
    return result;
}
