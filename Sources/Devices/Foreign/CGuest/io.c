// Reading and writing. A call that would wait is made when it no longer would.

#include "guest.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// MARK: Reading

static bool may_read(int descriptor) { return wait_for_events(descriptor, POLLIN, SO_RCVTIMEO) == READY; }

static ssize_t received(int descriptor, ssize_t count) {
    if (count > 0 && kind_of(descriptor) == HCI) count_received(count);
    return count;
}

static size_t asked(int descriptor, size_t size) { return kind_of(descriptor) == HCI ? size_to_read(size) : size; }

EXPORT ssize_t read(int descriptor, void *bytes, size_t size) {
    if (!is_guest()) return REAL(read)(descriptor, bytes, size);
    called(__func__);
    if (kind_of(descriptor) == CHANCE) {
        draw_bytes(bytes, size);
        return (ssize_t)size;
    }
    if (!may_read(descriptor)) return -1;
    return received(descriptor, raw(SYS_read, descriptor, bytes, asked(descriptor, size)));
}

EXPORT ssize_t readv(int descriptor, const struct iovec *parts, int count) {
    if (!is_guest()) return REAL(readv)(descriptor, parts, count);
    called(__func__);
    if (kind_of(descriptor) == CHANCE && count > 0) return read(descriptor, parts->iov_base, parts->iov_len);
    if (!may_read(descriptor)) return -1;
    return received(descriptor, raw(SYS_readv, descriptor, parts, count));
}

// A part of what was asked for is not enough for MSG_WAITALL, for which libc's call would wait with the turn.
static bool is_enough(ssize_t part, size_t size, int flags, int descriptor) {
    return part <= 0 || (size_t)part == size || (flags & MSG_WAITALL) == 0 || (flags & MSG_PEEK) != 0 ||
           !is_blocking(descriptor);
}

EXPORT ssize_t recvfrom(
    int descriptor, void *restrict bytes, size_t size, int flags, __SOCKADDR_ARG from, socklen_t *restrict length) {
    struct sockaddr *address = from.__sockaddr__;
    if (!is_guest()) return raw(SYS_recvfrom, descriptor, bytes, size, flags, address, length);
    called(__func__);
    if ((flags & MSG_DONTWAIT) != 0) {
        ssize_t count = received(
            descriptor, raw(SYS_recvfrom, descriptor, bytes, asked(descriptor, size), flags, address, length));
        int kept = errno;
        if (count < 0 && kept == EAGAIN) looked();
        errno = kept;
        return count;
    }
    size_t had = 0;
    for (;;) {
        if (!may_read(descriptor)) return had > 0 ? (ssize_t)had : -1;
        ssize_t part = raw(
            SYS_recvfrom, descriptor, (char *)bytes + had, asked(descriptor, size - had), flags & ~MSG_WAITALL, address,
            length);
        if ((flags & MSG_PEEK) == 0) received(descriptor, part);
        if (is_enough(part, size - had, flags, descriptor))
            return had == 0 ? part : (ssize_t)had + (part > 0 ? part : 0);
        had += (size_t)part;
    }
}

EXPORT ssize_t recv(int descriptor, void *bytes, size_t size, int flags) {
    return recvfrom(descriptor, bytes, size, flags, (__SOCKADDR_ARG){NULL}, NULL);
}

EXPORT ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    if (!is_guest()) return REAL(recvmsg)(descriptor, message, flags);
    called(__func__);
    if ((flags & MSG_DONTWAIT) == 0 && !may_read(descriptor)) return -1;
    ssize_t count = received(descriptor, raw(SYS_recvmsg, descriptor, message, flags & ~MSG_WAITALL));
    int kept = errno;
    if (count < 0 && kept == EAGAIN) looked();
    errno = kept;
    return count;
}

// As a program has them that was built with _FORTIFY_SOURCE.

ssize_t __read_chk(int, void *, size_t, size_t);
EXPORT ssize_t __read_chk(int descriptor, void *bytes, size_t size, size_t room) {
    if (size > room) abort();
    return read(descriptor, bytes, size);
}

ssize_t __recv_chk(int, void *, size_t, size_t, int);
EXPORT ssize_t __recv_chk(int descriptor, void *bytes, size_t size, size_t room, int flags) {
    if (size > room) abort();
    return recv(descriptor, bytes, size, flags);
}

ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, __SOCKADDR_ARG, socklen_t *);
EXPORT ssize_t __recvfrom_chk(
    int descriptor, void *bytes, size_t size, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *length) {
    if (size > room) abort();
    return recvfrom(descriptor, bytes, size, flags, from, length);
}

// MARK: Writing
// Only the way to the controller is waited for in virtual time: the door takes what is there whenever it has the turn.

static bool may_write(int descriptor, int flags) {
    if (kind_of(descriptor) != HCI || (flags & MSG_DONTWAIT) != 0) return true;
    while (!has_events(descriptor, POLLOUT) && is_blocking(descriptor)) {
        enum outcome outcome = wait_until(guest.now + 1);
        if (outcome == INTERRUPTED) {
            errno = EINTR;
            return false;
        }
    }
    return true;
}

static ssize_t sent(int descriptor, ssize_t count) {
    if (count > 0 && kind_of(descriptor) == HCI) guest.written += (uint64_t)count;
    return count;
}

EXPORT ssize_t write(int descriptor, const void *bytes, size_t size) {
    if (!is_guest() || kind_of(descriptor) != HCI) return raw(SYS_write, descriptor, bytes, size);
    called(__func__);
    if (!may_write(descriptor, 0)) return -1;
    return sent(descriptor, raw(SYS_write, descriptor, bytes, size));
}

EXPORT ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (!is_guest() || kind_of(descriptor) != HCI) return raw(SYS_writev, descriptor, parts, count);
    called(__func__);
    if (!may_write(descriptor, 0)) return -1;
    return sent(descriptor, raw(SYS_writev, descriptor, parts, count));
}

EXPORT ssize_t sendto(
    int descriptor, const void *bytes, size_t size, int flags, __CONST_SOCKADDR_ARG to, socklen_t length) {
    const struct sockaddr *address = to.__sockaddr__;
    if (is_guest()) called(__func__);
    if (is_guest() && !may_write(descriptor, flags)) return -1;
    return sent(descriptor, raw(SYS_sendto, descriptor, bytes, size, flags, address, length));
}

EXPORT ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
    return sendto(descriptor, bytes, size, flags, (__CONST_SOCKADDR_ARG){NULL}, 0);
}

EXPORT ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    if (is_guest()) called(__func__);
    if (is_guest() && !may_write(descriptor, flags)) return -1;
    return sent(descriptor, raw(SYS_sendmsg, descriptor, message, flags));
}
