// The descriptors of a copy. After a fork they lead to the same sockets, pipes and events as those of all other copies;
// so each gets its own, as they were when the program was about to reach for its controller.

#include "guest.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum thing { FILE_, EVENT, EPOLL, PIPE, SOCKET };

struct remembered {
    enum thing thing;
    int descriptor, flags, is_closed_at_exec;
    ino_t inode;
    off_t place;
    uint64_t count;
    int other;   // of a pair; -1: alone
    int domain, type, protocol;
};

enum { MOST = 256 };
static struct remembered all[MOST];
static int count;
static struct {
    int epoll, descriptor;
    struct epoll_event event;
} watched[MOST];
static int watched_count;

// MARK: Pairs
// The system does not tell which sockets are a pair, so we see them made.

static struct {
    ino_t one, other;
} pairs[MOST];
static int pair_count;

static ino_t inode_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) {
    int result = (int)raw(SYS_socketpair, domain, type, protocol, ends);
    if (result == 0 && is_guest() && guest.is_server && pair_count < MOST) {
        pairs[pair_count].one = inode_of(ends[0]);
        pairs[pair_count++].other = inode_of(ends[1]);
    }
    return result;
}

static ino_t paired_with(ino_t inode) {
    for (int i = 0; i < pair_count; i++) {
        if (pairs[i].one == inode) return pairs[i].other;
        if (pairs[i].other == inode) return pairs[i].one;
    }
    return 0;
}

// MARK: Remembering

static void read_information(struct remembered *entry) {
    char path[48], line[256];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", entry->descriptor);
    FILE *file = REAL(fopen)(path, "re");
    if (file == NULL) return;
    while (fgets(line, sizeof line, file) != NULL) {
        int descriptor;
        unsigned events;
        unsigned long long data;
        if (sscanf(line, "tfd: %d events: %x data: %llx", &descriptor, &events, &data) == 3 && watched_count < MOST) {
            watched[watched_count].epoll = entry->descriptor;
            watched[watched_count].descriptor = descriptor;
            watched[watched_count++].event = (struct epoll_event){.events = events, .data.u64 = data};
        } else if (sscanf(line, "eventfd-count: %llx", &data) == 1) {
            entry->count = data;
        }
    }
    fclose(file);
}

static int option(int descriptor, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    raw(SYS_getsockopt, descriptor, SOL_SOCKET, name, &value, &size);
    return value;
}

static bool is_unused(int descriptor) {
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (raw(SYS_getpeername, descriptor, &address, &size) == 0) return false;
    size = sizeof address;
    if (raw(SYS_getsockname, descriptor, &address, &size) < 0) return false;
    // Family and a port of 0; the family alone.
    bool is_internet = address.ss_family == AF_INET || address.ss_family == AF_INET6;
    return is_internet ? ((struct sockaddr_in *)&address)->sin_port == 0 : size <= sizeof address.ss_family;
}

// Whether it is one of those that are to be made anew.
static bool remember(struct remembered *entry, const char *link) {
    struct stat status;
    if (fstat(entry->descriptor, &status) < 0) return false;
    entry->inode = status.st_ino;
    if (strcmp(link, "anon_inode:[eventfd]") == 0) {
        entry->thing = EVENT;
        read_information(entry);
    } else if (strcmp(link, "anon_inode:[eventpoll]") == 0) {
        entry->thing = EPOLL;
        read_information(entry);
    } else if (strncmp(link, "pipe:", 5) == 0) {
        entry->thing = PIPE;
    } else if (S_ISSOCK(status.st_mode)) {
        entry->thing = SOCKET;
        entry->domain = option(entry->descriptor, SO_DOMAIN);
        entry->type = option(entry->descriptor, SO_TYPE);
        entry->protocol = option(entry->descriptor, SO_PROTOCOL);
        // One that has an address, or is connected, stays shared: neither can be had twice.
        return paired_with(entry->inode) != 0 || is_unused(entry->descriptor);
    } else if (S_ISREG(status.st_mode) && (entry->flags & O_ACCMODE) == O_RDONLY) {
        entry->thing = FILE_;
        entry->place = lseek(entry->descriptor, 0, SEEK_CUR);
    } else {
        return false;
    }
    return true;
}

static void find_others(void) {
    for (int i = 0; i < count; i++) {
        all[i].other = -1;
        ino_t inode = all[i].thing == PIPE ? all[i].inode : paired_with(all[i].inode);
        for (int j = 0; j < count; j++) {
            bool is_end = all[i].thing != PIPE || (all[j].flags & O_ACCMODE) != (all[i].flags & O_ACCMODE);
            if (i != j && all[i].thing == all[j].thing && all[j].inode == inode && inode != 0 && is_end)
                all[i].other = j;
        }
    }
}

void remember_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *found;
    while (folder != NULL && (found = readdir(folder)) != NULL && count < MOST) {
        struct remembered entry = {.descriptor = atoi(found->d_name)};
        char path[48], link[256];
        snprintf(path, sizeof path, "/proc/self/fd/%d", entry.descriptor);
        ssize_t length = readlink(path, link, sizeof link - 1);
        if (found->d_name[0] == '.' || entry.descriptor <= 2 || length < 0) continue;
        if (entry.descriptor == guest.control || entry.descriptor == dirfd(folder)) continue;
        link[length] = 0;
        entry.flags = (int)raw(SYS_fcntl, entry.descriptor, F_GETFL);
        entry.is_closed_at_exec = (int)raw(SYS_fcntl, entry.descriptor, F_GETFD) & FD_CLOEXEC;
        if (remember(&entry, link)) all[count++] = entry;
    }
    if (folder != NULL) closedir(folder);
    find_others();
}

// MARK: Making anew

static void put(const struct remembered *entry, int made) {
    if (made < 0) return;
    raw(SYS_dup3, made, entry->descriptor, entry->is_closed_at_exec ? O_CLOEXEC : 0);
    raw(SYS_close, made);
    raw(SYS_fcntl, entry->descriptor, F_SETFL, entry->flags);
}

static void put_pair(const struct remembered *entry) {
    int ends[2];
    bool is_pipe = entry->thing == PIPE, is_writer = (entry->flags & O_ACCMODE) == O_WRONLY;
    long result = is_pipe ? raw(SYS_pipe2, ends, 0)
                          : raw(SYS_socketpair, entry->domain, entry->type, entry->protocol, ends);
    if (result < 0) return;
    put(entry, ends[is_pipe && is_writer]);
    put(&all[entry->other], ends[!(is_pipe && is_writer)]);
}

static void put_socket(const struct remembered *entry) {
    static const int kept[] = {SO_REUSEADDR, SO_REUSEPORT, SO_KEEPALIVE, SO_RCVBUF, SO_SNDBUF};
    int made = (int)raw(SYS_socket, entry->domain, entry->type, entry->protocol);
    for (size_t i = 0; i < sizeof kept / sizeof *kept && made >= 0; i++) {
        int value = option(entry->descriptor, kept[i]);
        // The system doubles the sizes that it is asked for.
        if (kept[i] == SO_RCVBUF || kept[i] == SO_SNDBUF) value /= 2;
        if (value != option(made, kept[i])) raw(SYS_setsockopt, made, SOL_SOCKET, kept[i], &value, sizeof value);
    }
    put(entry, made);
}

static void put_file(const struct remembered *entry) {
    char path[48];
    snprintf(path, sizeof path, "/proc/self/fd/%d", entry->descriptor);
    int made = (int)raw(SYS_openat, AT_FDCWD, path, O_RDONLY);
    if (made >= 0) raw(SYS_lseek, made, entry->place, SEEK_SET);
    put(entry, made);
}

void remake_descriptors(void) {
    for (int i = 0; i < count; i++) {
        const struct remembered *entry = &all[i];
        switch (entry->thing) {
        case FILE_: put_file(entry); break;
        case EVENT: put(entry, (int)raw(SYS_eventfd2, entry->count, 0)); break;
        case EPOLL: put(entry, (int)raw(SYS_epoll_create1, 0)); break;
        case PIPE: case SOCKET:
            if (entry->other > i) put_pair(entry);
            else if (entry->other < 0 && entry->thing == SOCKET) put_socket(entry);
            break;
        }
    }
    for (int i = 0; i < watched_count; i++)
        raw(SYS_epoll_ctl, watched[i].epoll, EPOLL_CTL_ADD, watched[i].descriptor, &watched[i].event);
}
