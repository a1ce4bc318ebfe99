#include "control.h"

#include "guest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

enum { HEAD = offsetof(struct message, text) };

static void send_message(const struct message *message, size_t size) {
    int kept = errno;
    while (raw(SYS_sendto, guest.control, message, size, MSG_NOSIGNAL, NULL, 0) < 0)
        if (errno != EINTR) raw(SYS_exit_group, 0);
    errno = kept;
}

void say(uint32_t kind, uint32_t flags, uint64_t a, uint64_t b, uint64_t c) {
    struct message message = {.kind = kind, .flags = flags, .a = a, .b = b, .c = c};
    send_message(&message, HEAD);
}

void note(const char *format, ...) {
    struct message message = {.kind = NOTE};
    va_list rest;
    va_start(rest, format);
    vsnprintf(message.text, 901, format, rest);
    va_end(rest);
    send_message(&message, HEAD + strlen(message.text));
}

void tell(const char *text) {
    struct message message = {.kind = TOLD};
    size_t length = strnlen(text, sizeof message.text - 4);
    memcpy(message.text, text, length);
    send_message(&message, HEAD + length);
}

void hear(struct message *message, int *descriptor) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {message, sizeof *message};
    struct msghdr whole = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    long count;
    do count = raw(SYS_recvmsg, guest.control, &whole, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < HEAD) raw(SYS_exit_group, 0);
    struct cmsghdr *head = CMSG_FIRSTHDR(&whole);
    if (descriptor != NULL) *descriptor = -1;
    if (descriptor != NULL && head != NULL && head->cmsg_type == SCM_RIGHTS)
        memcpy(descriptor, CMSG_DATA(head), sizeof *descriptor);
}
