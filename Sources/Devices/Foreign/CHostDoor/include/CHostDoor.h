#ifndef CHOSTDOOR_H
#define CHOSTDOOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What the door says to a guest and hears from it, over a socket that keeps messages apart
// (Sources/Devices/Foreign/CGuest/control.h).
typedef struct {
    uint32_t kind, flags;
    uint64_t a, b, c;
    char text[904];
} chostdoor_message;

// Each gives -1, and sets errno, where the system refuses.

// Two ends of such a socket. Both are closed at exec.
int chostdoor_pair(int *ours, int *theirs);

// Sends a message; `descriptor`, unless it is -1, goes along.
int chostdoor_send(int socket, const chostdoor_message *message, int descriptor);

// Waits for a message: 1. 0 where nobody is left who could send one.
int chostdoor_receive(int socket, chostdoor_message *message);

// Starts a program with this environment, which keeps `control`, and dies with us. Its addresses are the same each
// time. What it says goes to `output` unless that is -1, and the log then is its descriptor
// CHOSTDOOR_LOG. A program without a slash in its name is looked for in PATH.
pid_t chostdoor_spawn(char *const arguments[], char *const environment[], int control, int output);
enum { CHOSTDOOR_LOG = 1001 };

// A file without a name, for output that may have to be forgotten.
int chostdoor_file(void);

// Listens on a unix socket, or on a port of 127.0.0.1 that the system chooses. `path` is replaced if it is there.
int chostdoor_listen_unix(const char *path);
int chostdoor_listen_tcp(uint16_t *port);

// The connection that waits to be accepted; -1 with EAGAIN where there is none, unless `waits`.
int chostdoor_accept(int listener, int waits);

// Connects to where a guest listens.
int chostdoor_connect_unix(const char *path);
int chostdoor_connect_tcp(uint16_t port);

// A pseudo terminal that changes no byte: our side, and a descriptor and the name of the other one.
int chostdoor_terminal(int *other, char *name, size_t size);

// Makes reads and writes return at once.
int chostdoor_never_wait(int descriptor);

// How many bytes were received so far on a connection of TCP.
uint64_t chostdoor_tcp_received(int connection);

#endif
