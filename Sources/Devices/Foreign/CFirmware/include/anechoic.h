/* A device of Anechoic in C: DeviceLink, timers, Bluetooth and UWB (Sources/Wire/DeviceLink/DEVICE-LINK.md).
 *
 * A device is a program with one anechoic_firmware. Everything happens in turns: one of its functions is called, and
 * what it asks for takes effect when it returns. Between two turns no time passes. So no function may block, sleep, or
 * read a clock, and all randomness comes from anechoic_random.
 *
 * C11 on Linux. Nothing is allocated after the start. Lengths of time are nanoseconds, distances millimetres, angles
 * hundredths of a degree. What breaks the contract (a name that is too long, 4,097 answers in a turn) is a sentence in
 * the log and the end of the program with status 70.
 */
#ifndef ANECHOIC_H
#define ANECHOIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ANECHOIC_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define ANECHOIC_PRINTF
#endif

/* The address of a Bluetooth controller; its octets come least significant first. */
typedef struct {
    bool is_random;
    uint8_t octets[6];
} anechoic_address;

/* What this device is to be, as the topology says. */
typedef struct {
    const char *name;
    const char *model;    /* "" where the topology says nothing */
    uint32_t incarnation; /* how often it was started in this run, from 0 */
    anechoic_address address;
} anechoic_reset;

/* One ranging round. */
typedef struct {
    bool is_measured; /* else the round was a miss, and nothing below is known */
    uint32_t distance;
    int16_t azimuth, elevation; /* ANECHOIC_NO_ANGLE where the peer is outside the field of view */
    bool is_in_sight;
} anechoic_round;

enum { ANECHOIC_NO_ANGLE = 32767 };

/* The functions that make up a device; any of them may be missing. */
typedef struct {
    /* The program's name for people. */
    const char *program;
    /* The parameters and the models that it knows, each list ended by NULL; others are refused. No list: none, but
     * the model "". */
    const char *const *parameters, *const *models;
    /* Whether boot sets every variable anew. Then one process plays all runs; else each run and each restart begins
     * in a copy of a process that has played nothing, which costs a fork. */
    bool clears_itself;

    /* Why it cannot be that, for the author of the topology; NULL where it can. */
    const char *(*reset)(const anechoic_reset *reset);
    /* Power on. */
    void (*boot)(void);
    /* The script, or the user it plays, wants something: press a button, switch Bluetooth. */
    void (*command)(const char *name);
    /* There is a connection, as its peripheral unless `is_central`; or, with a status, an attempt is over. */
    void (*connected)(uint8_t status, uint16_t connection, bool is_central, const anechoic_address *peer);
    void (*disconnected)(uint16_t connection, uint8_t reason);
    /* Encryption is on; or, with a status, it could not be switched on. */
    void (*encrypted)(uint16_t connection, uint8_t status);
    /* A phone has paired (`pairing:` in the topology), and its bond is stored. */
    void (*paired)(const anechoic_address *peer);
    /* The UWB radio is on for this session; or, with a status, it has refused. */
    void (*uwb_started)(uint32_t session, uint8_t status);
    void (*uwb_round)(uint32_t session, const anechoic_round *round);
    /* Every other event, as DEVICE-LINK.md section 6 has it. */
    void (*event)(uint8_t type, const uint8_t *bytes, size_t count);
} anechoic_firmware;

/* Does what the orchestrator says until it says farewell. Returns what main has to return: 0, or 64 where the program
 * was not started by a topology. */
int anechoic_run(const anechoic_firmware *firmware);

/* The time of this turn since the run began. */
uint64_t anechoic_now(void);

/* Random numbers of this incarnation, the same in each repetition of the run. */
uint64_t anechoic_random(void);
void anechoic_random_bytes(void *bytes, size_t count);

/* A parameter, as the topology has it (durations in nanoseconds, lengths in millimetres), until the next reset; NULL
 * where there is none. */
const char *anechoic_parameter(const char *name);
/* The same as a number; `otherwise` where there is none. Call it in reset, which then refuses what is no number. */
uint64_t anechoic_number(const char *name, uint64_t otherwise);

/* An argument of the command whose turn it is ("power" of "bluetooth": "on" or "off"), until its end; NULL where there
 * is none. */
const char *anechoic_argument(const char *name);

/* Writes a line into the log, behind the virtual time. */
void anechoic_log(const char *format, ...) ANECHOIC_PRINTF;

/* A timer, in static storage. Set `name`, `expired` and `context` once, in boot or where it stands; the name is in the
 * trace and no other timer's. */
typedef struct anechoic_timer {
    const char *name;
    void (*expired)(struct anechoic_timer *timer);
    void *context;
    struct anechoic_timer *next; /* the library's */
    bool is_known;               /* the library's */
} anechoic_timer;

/* Calls `expired` once, at a moment between `after` and `after + slack` from now that the orchestrator picks. A timer
 * that is set already is set anew. */
void anechoic_timer_start(anechoic_timer *timer, uint64_t after, uint64_t slack);
void anechoic_timer_stop(anechoic_timer *timer);

/* Work for a turn of its own: an interrupt's bottom half, an item of a work queue. It is in static storage; set `run`
 * and `context` once. */
typedef struct anechoic_work {
    void (*run)(struct anechoic_work *work);
    void *context;
    struct anechoic_work *next; /* the library's */
    uint32_t number;            /* the library's */
} anechoic_work;

/* Runs it later; what is submitted to one queue runs first in, first out. */
void anechoic_submit(const char *queue, anechoic_work *work);

/* Keeps bytes beyond the death of this process, until the run ends: what flash is for. */
void anechoic_store(const char *key, const void *bytes, size_t count);
void anechoic_forget(const char *key);
/* What this and earlier incarnations of this run have kept, until the next store; NULL where there is nothing. */
const uint8_t *anechoic_stored(const char *key, size_t *count);

/* Writes the addresses of phones that have a bond, `most` at most, and returns how many have one: those of earlier
 * lives in the order of addresses, then as they have paired. Of an address only the octets are known. */
size_t anechoic_bonds(anechoic_address *peers, size_t most);
/* Forgets the key of a phone; a link that is encrypted stays so until it ends. The command `forget-bond`, by which a
 * user resets the accessory, does it for all. */
void anechoic_erase_bond(const anechoic_address *peer);

typedef enum { ANECHOIC_NONE, ANECHOIC_TEXT, ANECHOIC_NUMBER, ANECHOIC_FLAG } anechoic_field_type;

/* A field of an observation. */
typedef struct {
    const char *name;
    anechoic_field_type type;
    const char *text;
    int64_t number; /* and of a flag, whether it is set */
} anechoic_field;

/* Puts a word of the device's own into the trace. No promise needs one. */
void anechoic_observe(const char *kind, const anechoic_field *fields, size_t count);

/* Advertises, connectable, until it is told otherwise or connected; each part is at most 31 bytes. The interval is in
 * units of 0.625 ms. */
void anechoic_advertise(
    uint16_t interval, const void *data, size_t count, const void *response, size_t response_count);
void anechoic_stop_advertising(void);
void anechoic_disconnect(uint16_t connection, uint8_t reason);
/* Sends an L2CAP frame; at most 16 of a connection wait in its controller. */
void anechoic_send(uint16_t connection, uint16_t channel, const void *bytes, size_t count);

/* What two UWB radios have to agree on (DEVICE-LINK.md section 9). */
typedef struct {
    uint32_t session_id;
    uint16_t address, peer;
    uint8_t channel, preamble;
    uint8_t sts_iv[6];
    uint16_t slots_per_round, slot_duration /* RSTU */, interval /* ms */;
    bool is_initiator;
} anechoic_uwb;

/* Whether there is a radio that can do that. */
bool anechoic_can_range(const anechoic_uwb *parameters);
/* Ranges; `session` is a number of the device's own. False where no radio can do that, and nothing was asked for. */
bool anechoic_uwb_start(uint32_t session, const anechoic_uwb *parameters);
void anechoic_uwb_stop(uint32_t session);

/* Any other answer, as DEVICE-LINK.md section 7 has it. */
void anechoic_answer(uint8_t type, const void *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
