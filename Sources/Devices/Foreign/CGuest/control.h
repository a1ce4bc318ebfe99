// What a guest and its door say to each other, over a socket that keeps messages apart (SOCK_SEQPACKET).
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// From the door.
enum {
    WAKE = 1,  // a: the virtual time; b: bytes of HCI that the guest was sent on its connection so far
    FORK = 2,  // a: a seed, b: the time; the copy's own control socket comes along
    REAP = 3,  // a: the process of a copy, whose end is waited for
    TELL = 4,  // the calls of this turn are wanted
};

// From the guest.
enum {
    HELLO = 1,     // a: its process, b: VERSION; flags: CAN_FORK
    SNAPSHOT = 2,  // it can be copied from here on
    BLOCKED = 3,   // a: until when, or NEVER; b: bytes of HCI written; c: HCI connections; flags: a hash of its calls
    FORKED = 4,    // a: the process of the copy
    NOTE = 5,      // text: a line for the log
    REAPED = 6,    // a: the process, b: what waitpid says
    TOLD = 7,      // text: the calls of this turn, the oldest first
};

enum { VERSION = 1, CAN_FORK = 1 };

#define NEVER UINT64_MAX

struct message {
    uint32_t kind, flags;
    uint64_t a, b, c;
    char text[904];
};

// Says something that fits into the numbers.
void say(uint32_t kind, uint32_t flags, uint64_t a, uint64_t b, uint64_t c);

// A line for the door's log.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// What the guest has called, for a door that has asked.
void tell(const char *text);

// Waits for the door. `descriptor` is one that came along, or -1. Nobody can be a guest without a door: where it is
// gone the process ends.
void hear(struct message *message, int *descriptor);

#endif
