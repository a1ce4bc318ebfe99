#ifndef ANECHOIC_CDEVICE_H
#define ANECHOIC_CDEVICE_H

#include <stddef.h>
#include <stdint.h>

/// The object that stands for the device whose turn it is on this thread, or NULL outside a turn.
void *_Nullable cdevice_current(void);

/// Sets the device whose turn it is on this thread; NULL ends the turn.
void cdevice_set_current(void *_Nullable device);

/// How the device whose turn it is tells time, in nanoseconds since the run began, and draws bytes.
typedef struct {
    uint64_t (*_Nonnull now)(void *_Nonnull device);
    void (*_Nonnull draw)(void *_Nonnull device, void *_Nonnull bytes, size_t count);
} cdevice_source;

/// Says how; once in a process.
void cdevice_set_source(cdevice_source source);

/// Whether somebody has said so: whether this is a device's program.
int cdevice_has_source(void);

/// The moment of the turn; only in one.
uint64_t cdevice_now(void);

/// Fills bytes with what the device draws; only in its turn.
void cdevice_draw(void *_Nonnull bytes, size_t count);

/// Asks the kernel to kill this process when the thread that spawned it ends (prctl is variadic,
/// which Swift cannot call). Returns 0, or -1 with errno set.
int cdevice_die_with_parent(void);

/// Connects to the unix socket at `path`, which must be shorter than 108 bytes. Returns the descriptor,
/// or -1 with errno set.
int cdevice_connect(const char *_Nonnull path);

/// Makes standard output write each line at once, also into a pipe, so that what a device printed before
/// it was killed is in its log. (`stdout` is a global variable that Swift cannot name.)
void cdevice_print_by_line(void);

#endif
