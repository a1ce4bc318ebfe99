#define _GNU_SOURCE
#include "CHostDoor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

enum { HEAD = 32 };

int chostdoor_pair(int *ours, int *theirs) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -1;
    *ours = ends[0];
    *theirs = ends[1];
    return 0;
}

int chostdoor_send(int socket, const chostdoor_message *message, int descriptor) {
    struct iovec part = {.iov_base = (void *)message, .iov_len = HEAD};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr whole = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        whole.msg_control = &control;
        whole.msg_controllen = sizeof control;
        struct cmsghdr *head = CMSG_FIRSTHDR(&whole);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    }
    for (;;) {
        if (sendmsg(socket, &whole, MSG_NOSIGNAL) >= 0) return 0;
        if (errno != EINTR) return -1;
    }
}

int chostdoor_receive(int socket, chostdoor_message *message) {
    for (;;) {
        ssize_t count = recv(socket, message, HEAD + sizeof message->text - 1, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 && errno != ECONNRESET ? -1 : 0;
        if (count < HEAD) {
            errno = EBADMSG;
            return -1;
        }
        message->text[count - HEAD] = 0;
        return 1;
    }
}

pid_t chostdoor_spawn(char *const arguments[], char *const environment[], int control, int output) {
    pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(71);
    // What we were started with, behind nohup or by a program with a mask of its own, is nothing for a guest.
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    personality(ADDR_NO_RANDOMIZE);
    if (control >= 0) fcntl(control, F_SETFD, 0);
    if (output >= 0) {
        dup2(STDOUT_FILENO, CHOSTDOOR_LOG);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
    }
    execvpe(arguments[0], arguments, environment);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

int chostdoor_file(void) { return memfd_create("output", MFD_CLOEXEC); }

static int listen_at(int family, const void *address, socklen_t size) {
    int listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    if (bind(listener, address, size) == 0 && listen(listener, 16) == 0) return listener;
    int failure = errno;
    close(listener);
    errno = failure;
    return -1;
}

static int connect_to(int family, const void *address, socklen_t size) {
    int connection = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0) return -1;
    if (connect(connection, address, size) == 0) return connection;
    int failure = errno;
    close(connection);
    errno = failure;
    return -1;
}

static int unix_address(struct sockaddr_un *address, const char *path) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address->sun_path, path);
    return 0;
}

static struct sockaddr_in loopback(uint16_t port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

int chostdoor_listen_unix(const char *path) {
    struct sockaddr_un address;
    if (unix_address(&address, path) < 0) return -1;
    unlink(path);
    return listen_at(AF_UNIX, &address, sizeof address);
}

int chostdoor_listen_tcp(uint16_t *port) {
    // Always as many digits, so that the guest's memory looks the same each time.
    for (int attempt = 0; attempt < 64; attempt++) {
        struct sockaddr_in address = loopback(0);
        socklen_t size = sizeof address;
        int listener = listen_at(AF_INET, &address, size);
        if (listener < 0 || getsockname(listener, (struct sockaddr *)&address, &size) < 0) return -1;
        *port = ntohs(address.sin_port);
        if (*port >= 10000) return listener;
        close(listener);
    }
    errno = EADDRINUSE;
    return -1;
}

int chostdoor_accept(int listener, int waits) {
    struct pollfd wanted = {.fd = listener, .events = POLLIN};
    int ready;
    do ready = poll(&wanted, 1, waits ? -1 : 0);
    while (ready < 0 && errno == EINTR);
    if (ready == 0) errno = EAGAIN;
    if (ready <= 0) return -1;
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    int yes = 1;
    // An answer is one write; waiting for more of them would cost the other side 40 ms.
    if (connection >= 0) setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}

int chostdoor_connect_unix(const char *path) {
    struct sockaddr_un address;
    if (unix_address(&address, path) < 0) return -1;
    return connect_to(AF_UNIX, &address, sizeof address);
}

int chostdoor_connect_tcp(uint16_t port) {
    struct sockaddr_in address = loopback(port);
    int connection = connect_to(AF_INET, &address, sizeof address), yes = 1;
    if (connection >= 0) setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return connection;
}

int chostdoor_terminal(int *other, char *name, size_t size) {
    int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ours < 0) return -1;
    if (grantpt(ours) == 0 && unlockpt(ours) == 0 && ptsname_r(ours, name, size) == 0) {
        struct termios plain;
        *other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (*other >= 0 && tcgetattr(*other, &plain) == 0) {
            cfmakeraw(&plain);
            if (tcsetattr(*other, TCSANOW, &plain) == 0) return ours;
        }
    }
    int failure = errno;
    close(ours);
    errno = failure;
    return -1;
}

int chostdoor_never_wait(int descriptor) {
    return fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

uint64_t chostdoor_tcp_received(int connection) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return UINT64_MAX;
    return info.tcpi_bytes_received;
}
