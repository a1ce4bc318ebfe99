#ifndef ANECHOIC_CDEVICE_H
#define ANECHOIC_CDEVICE_H

/// The object that stands for the device whose turn it is on this thread, or NULL outside a turn.
void *_Nullable cdevice_current(void);

/// Sets the device whose turn it is on this thread; NULL ends the turn.
void cdevice_set_current(void *_Nullable device);

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
