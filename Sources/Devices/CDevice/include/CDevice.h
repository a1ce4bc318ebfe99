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

/// Where a program that is loaded into a worker's process meets it, in place of a link: bytes go through it as
/// they would through one.
typedef struct {
    /// The layout of this struct: CDEVICE_JOINT.
    uint32_t version;
    void *_Nonnull host;
    /// Takes bytes of the device's frames.
    void (*_Nonnull say)(void *_Nonnull host, const uint8_t *_Nonnull bytes, size_t count);
    /// Takes bytes of its log.
    void (*_Nonnull log)(void *_Nonnull host, const uint8_t *_Nonnull bytes, size_t count);
    /// The device, which says so itself.
    void *_Nullable device;
    /// Takes bytes of the orchestrator's frames; what there is to say to them is said before it returns.
    void (*_Nullable hear)(void *_Nonnull device, const uint8_t *_Nonnull bytes, size_t count);
} cdevice_joint;

enum { CDEVICE_JOINT = 1 };

/// How a loaded program's function is called that says who it is. (Loading is variadic nowhere, but a pointer to a
/// function comes from it as one to data, which Swift does not convert.)
typedef void cdevice_entry(cdevice_joint *_Nonnull joint);

/// Loads the program at `path` beside whatever is loaded already, of which it sees the C library alone, and returns
/// its function of this name; NULL, with what is wrong in `error`, where there is none.
cdevice_entry *_Nullable cdevice_load(const char *_Nonnull path, const char *_Nonnull name,
                                      const char *_Nullable *_Nonnull error);

/// What a worker that loads programs keeps written of whose turn it is: memory that it shares with whoever has started
/// it, and that is there when the worker is not.
typedef struct cdevice_slate cdevice_slate;

/// Makes an empty one; returns its descriptor, or -1 with errno set.
int cdevice_slate_make(void);

/// The slate of a descriptor; NULL where that is none.
cdevice_slate *_Nullable cdevice_slate_map(int descriptor);
void cdevice_slate_unmap(cdevice_slate *_Nonnull slate);

/// That of this process, which a worker finds behind its standard descriptors; NULL in any other process.
cdevice_slate *_Nullable cdevice_own_slate(void);

/// Notes that a device's turn begins, or that it has ended.
void cdevice_slate_begin(cdevice_slate *_Nonnull slate, uint32_t device);
void cdevice_slate_end(cdevice_slate *_Nonnull slate);

/// The device whose turn it is, or was last; -1 before the first turn.
int64_t cdevice_slate_device(cdevice_slate *_Nonnull slate);

/// Whether that turn has not ended.
int cdevice_slate_is_in_turn(cdevice_slate *_Nonnull slate);

/// Whether the process was ended because it did not end in time.
int cdevice_slate_is_hung(cdevice_slate *_Nonnull slate);

/// From now on a thread ends this process, by SIGKILL, where a turn takes more than so many milliseconds of the wall
/// clock, at least 50. Returns 0, or -1 where there can be no more threads.
int cdevice_slate_watch(cdevice_slate *_Nonnull slate, uint64_t milliseconds);

/// Writes what this process prints to the joint's log, each line at once and behind the time; cdevice_print_to_process
/// ends it.
///
/// Standard output is a variable of the C library's, so that `print` and `printf` of whoever is loaded follow it.
void cdevice_print_to_joint(cdevice_joint *_Nonnull joint);
void cdevice_print_to_process(void);

/// Notes what the variables of this program are, before an app has run in it.
void cdevice_note_globals(void);

/// Makes the app's global and static variables what they were when they were noted: those of Swift modules that are
/// neither the toolchain's nor ours, as this program's own table of symbols has them, but for those that had a value
/// before they were noted, by the program's own main. What they held is let go of without a word. Does nothing where nothing was noted, or the program has no such table.
void cdevice_renew_globals(void);

/// Makes standard output write each line at once, behind the moment of its turn: `[0.812400 s] `.
void cdevice_print_in_time(void);

/// Makes standard output write each line at once, also into a pipe, so that what a device printed before
/// it was killed is in its log. (`stdout` is a global variable that Swift cannot name.)
void cdevice_print_by_line(void);

#endif
