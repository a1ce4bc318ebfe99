#define _GNU_SOURCE

#include "internal.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESET = 0x01, GRANT = 0x02, FAREWELL = 0x03, HELLO = 0x81, READY = 0x82, REFUSED = 0x83, ANSWERS = 0x84 };
enum { USAGE = 64, DATA = 65, SOFTWARE = 70, NO_PROCESS = 71, INPUT_OUTPUT = 74 };
enum { LARGEST_FRAME = 1 << 20, LONGEST_NAME = 255, MOST_ANSWERS = 4096 };
enum { AFRESH_BY_RESET = 2 };

static const anechoic_firmware *firmware;
static int source = -1, sink = -1;

/* The frame that is being read. Shared with the copies of this process, which leave what is not theirs. */
static struct {
    uint32_t count;
    /* A copy has come to its end, and did not leave within a turn. */
    bool is_over;
    uint8_t bytes[LARGEST_FRAME];
} *incoming;

/* The reset of this life, which parameters and stored values point into. */
static uint8_t life[LARGEST_FRAME];
static anechoic_reset present;
static uint64_t key, drawn;
static const uint8_t *stored;
static uint16_t stored_count;

/* Pairs of texts, and the second of each as C has it. A value and its end are shorter than its block. */
struct pairs {
    const uint8_t *first;
    uint16_t count;
    char values[LARGEST_FRAME];
};
static struct pairs parameters;
/* Of the command whose turn it is. */
static struct pairs arguments;

/* What this life has stored, each key once: u8 kept, a block with the key, a block with the value. */
static uint8_t journal[LARGEST_FRAME];
static size_t journal_length;

static uint64_t now;
static bool is_in_turn;
/* The frame that is being written, behind its length. */
static uint8_t outgoing[LARGEST_FRAME];
static size_t length;
static unsigned answer_count;

static anechoic_timer *timers;
static anechoic_work *works;
static uint32_t last_work;

void (*anechoic_gatt_event)(uint8_t type, const uint8_t *bytes, size_t count);

/* MARK: The log */

static void log_line(const char *format, va_list values) {
    char line[1024];
    int count = vsnprintf(line, sizeof line, format, values);
    uint64_t micros = now / 1000;
    if (count < 0) return;
    fprintf(stderr, "[%llu.%06llu s] %s\n", (unsigned long long)(micros / 1000000),
            (unsigned long long)(micros % 1000000), line);
}

void anechoic_log(const char *format, ...) {
    va_list values;
    va_start(values, format);
    log_line(format, values);
    va_end(values);
}

static _Noreturn void leave(int status) {
    fflush(NULL);
    _exit(status);
}

void anechoic_fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    log_line(format, values);
    va_end(values);
    leave(SOFTWARE);
}

/* MARK: The stream */

/* False at the end of the stream, which is a farewell between two frames and nowhere else. */
static bool take(uint8_t *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t some = read(source, bytes + done, count - done);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0 || (some == 0 && done > 0)) {
            anechoic_log("the link cannot be read: %s", some < 0 ? strerror(errno) : "it ends within a frame");
            leave(some < 0 ? INPUT_OUTPUT : DATA);
        }
        if (some == 0) return false;
        done += (size_t)some;
    }
    return true;
}

static _Noreturn void wrong(const char *what) {
    anechoic_log("the orchestrator's frame breaks the contract: %s", what);
    leave(DATA);
}

/* Takes a frame into `incoming`; the end of the stream is a farewell. */
static void take_frame(void) {
    uint8_t head[4];
    incoming->count = 1;
    incoming->bytes[0] = FAREWELL;
    if (!take(head, sizeof head)) return;
    incoming->count = anechoic_get32(head);
    if (incoming->count == 0 || incoming->count > LARGEST_FRAME) wrong("its length is not 1 to 1048576");
    if (!take(incoming->bytes, incoming->count)) wrong("the stream ends behind its length");
}

static void put(const void *bytes, size_t count) {
    if (count > sizeof outgoing - 5 - length) anechoic_fail("the answers of a turn fit into no frame");
    if (count > 0) memcpy(outgoing + 5 + length, bytes, count);
    length += count;
}

static void put16(uint16_t value) {
    uint8_t bytes[2];
    anechoic_put16(bytes, value);
    put(bytes, sizeof bytes);
}

static void put32(uint32_t value) {
    uint8_t bytes[4];
    anechoic_put32(bytes, value);
    put(bytes, sizeof bytes);
}

static void put64(uint64_t value) {
    put32((uint32_t)value);
    put32((uint32_t)(value >> 32));
}

static void put_block(const void *bytes, size_t count) {
    if (count > UINT16_MAX) anechoic_fail("%zu bytes fit into no block; at most 65535 do", count);
    put16((uint16_t)count);
    put(bytes, count);
}

static void put_name(const char *name, const char *what) {
    size_t count = name ? strlen(name) : 0;
    if (count == 0 || count > LONGEST_NAME) anechoic_fail("%s has a name of %zu bytes; expected 1 to 255", what, count);
    put_block(name, count);
}

static void give(uint8_t type) {
    size_t count = length + 5;
    anechoic_put32(outgoing, (uint32_t)(length + 1));
    outgoing[4] = type;
    for (size_t done = 0; done < count;) {
        ssize_t some = write(sink, outgoing + done, count - done);
        if (some < 0 && errno == EINTR) continue;
        if (some <= 0) {
            anechoic_log("the link cannot be written: %s", strerror(errno));
            leave(INPUT_OUTPUT);
        }
        done += (size_t)some;
    }
    length = 0;
}

/* MARK: Answers */

/* An answer begins with its type and its length, which is filled in at its end. */
static size_t begin(uint8_t type) {
    if (!is_in_turn) anechoic_fail("answer 0x%02X outside a turn: wait for boot", type);
    if (++answer_count > MOST_ANSWERS) anechoic_fail("more than %d answers in a turn", MOST_ANSWERS);
    put(&type, 1);
    put32(0);
    return length;
}

static void end(size_t start) { anechoic_put32(outgoing + 5 + start - 4, (uint32_t)(length - start)); }

void anechoic_answer(uint8_t type, const void *bytes, size_t count) {
    size_t start = begin(type);
    put(bytes, count);
    end(start);
}

void anechoic_timer_start(anechoic_timer *timer, uint64_t after, uint64_t slack) {
    if (!timer->is_known) {
        for (anechoic_timer *other = timers; other; other = other->next)
            if (other == timer || strcmp(other->name, timer->name) == 0)
                anechoic_fail("the timer %s was set up anew, or two are called so", timer->name);
        timer->next = timers;
        timer->is_known = true;
        timers = timer;
    }
    size_t start = begin(0x01);
    put_name(timer->name, "a timer");
    put64(after);
    put64(slack);
    end(start);
}

void anechoic_timer_stop(anechoic_timer *timer) {
    size_t start = begin(0x02);
    put_name(timer->name, "a timer");
    end(start);
}

void anechoic_submit(const char *queue, anechoic_work *work) {
    if (work->number == 0) {
        for (const anechoic_work *other = works; other; other = other->next)
            if (other == work) anechoic_fail("work for %s was set up anew after it was submitted", queue);
        work->number = ++last_work;
        work->next = works;
        works = work;
    }
    size_t start = begin(0x03);
    put_name(queue, "a queue");
    put32(work->number);
    end(start);
}

static const uint8_t *behind(const uint8_t *block) { return block + 2 + anechoic_get16(block); }

static bool is_called(const uint8_t *block, const char *name) {
    size_t count = strlen(name);
    return anechoic_get16(block) == count && memcmp(block + 2, name, count) == 0;
}

/* What this life has stored for a key; NULL where it has said nothing of it. */
static uint8_t *noted(const char *name) {
    uint8_t *end = journal + journal_length;
    for (uint8_t *entry = journal; entry < end; entry = (uint8_t *)behind(behind(entry + 1)))
        if (is_called(entry + 1, name)) return entry;
    return NULL;
}

static uint8_t *write_block(uint8_t *at, const void *bytes, size_t count) {
    anechoic_put16(at, (uint16_t)count);
    if (count > 0) memcpy(at + 2, bytes, count);
    return at + 2 + count;
}

static void note(const char *name, bool is_kept, const void *bytes, size_t count) {
    uint8_t *old = noted(name), *end = journal + journal_length;
    if (old) {
        const uint8_t *next = behind(behind(old + 1));
        memmove(old, next, (size_t)(end - next));
        end -= next - old;
    }
    if (5 + strlen(name) + count > (size_t)(journal + sizeof journal - end)) anechoic_fail("too much is stored");
    *end = is_kept;
    journal_length = (size_t)(write_block(write_block(end + 1, name, strlen(name)), bytes, count) - journal);
}

void anechoic_store(const char *name, const void *bytes, size_t count) {
    size_t start = begin(0x04);
    put_name(name, "what is to be stored");
    put("\1", 1);
    put_block(bytes, count);
    end(start);
    note(name, true, bytes, count);
}

void anechoic_forget(const char *name) {
    size_t start = begin(0x04);
    put_name(name, "what is to be forgotten");
    put("\0", 1);
    end(start);
    note(name, false, NULL, 0);
}

void anechoic_observe(const char *kind, const anechoic_field *fields, size_t count) {
    size_t start = begin(0x05);
    put_name(kind, "an observation");
    if (count > 64) anechoic_fail("%s has %zu fields; at most 64 are possible", kind, count);
    put16((uint16_t)count);
    for (const anechoic_field *field = fields; field < fields + count; field++) {
        uint8_t type = (uint8_t)field->type;
        put_name(field->name, "a field");
        put(&type, 1);
        if (field->type == ANECHOIC_TEXT) put_block(field->text, strlen(field->text));
        if (field->type == ANECHOIC_NUMBER) put64((uint64_t)field->number);
        if (field->type == ANECHOIC_FLAG) put(field->number ? "\1" : "\0", 1);
    }
    end(start);
}

void anechoic_advertise(
    uint16_t interval, const void *data, size_t count, const void *response, size_t response_count) {
    size_t start = begin(0x10);
    put16(interval);
    put_block(data, count);
    put_block(response, response_count);
    end(start);
}

void anechoic_stop_advertising(void) { anechoic_answer(0x11, NULL, 0); }

void anechoic_disconnect(uint16_t connection, uint8_t reason) {
    size_t start = begin(0x17);
    put16(connection);
    put(&reason, 1);
    end(start);
}

void anechoic_send(uint16_t connection, uint16_t channel, const void *bytes, size_t count) {
    size_t start = begin(0x16);
    if (count > UINT16_MAX - 4) anechoic_fail("a frame of %zu bytes; L2CAP has at most 65531", count);
    put16(connection);
    put16((uint16_t)(count + 4));
    put16((uint16_t)count);
    put16(channel);
    put(bytes, count);
    end(start);
}

bool anechoic_can_range(const anechoic_uwb *uwb) {
    bool has_channel = uwb->channel >= 5 && uwb->channel <= 14 && uwb->channel != 7 && uwb->channel != 11;
    return has_channel && uwb->preamble >= 9 && uwb->preamble <= 12 && uwb->slots_per_round > 0 &&
           uwb->slot_duration > 0 && uwb->interval > 0;
}

bool anechoic_uwb_start(uint32_t session, const anechoic_uwb *uwb) {
    if (!anechoic_can_range(uwb)) return false;
    size_t start = begin(0x30);
    put32(session);
    put32(uwb->session_id);
    put16(uwb->address);
    put16(uwb->peer);
    put(&uwb->channel, 1);
    put(&uwb->preamble, 1);
    put(uwb->sts_iv, sizeof uwb->sts_iv);
    put16(uwb->slots_per_round);
    put16(uwb->slot_duration);
    put16(uwb->interval);
    put(uwb->is_initiator ? "\1" : "\0", 1);
    end(start);
    return true;
}

void anechoic_uwb_stop(uint32_t session) {
    uint8_t bytes[4];
    anechoic_put32(bytes, session);
    anechoic_answer(0x31, bytes, sizeof bytes);
}

/* MARK: What the device is */

uint64_t anechoic_now(void) { return now; }

/* SplitMix64 (Steele, Lea and Flood 2014): each number is a mix of the key and how many were drawn. */
uint64_t anechoic_random(void) {
    uint64_t value = key + ++drawn * 0x9E3779B97F4A7C15;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return value ^ value >> 31;
}

void anechoic_random_bytes(void *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) ((uint8_t *)bytes)[index] = anechoic_random() & 0xFF;
}

/* Texts in a reset are not ended; each is moved one byte down, over its own length, to make room for the end. */
static const char *ended(uint8_t *at, uint16_t count) {
    memmove(at - 1, at, count);
    at[count - 1] = 0;
    return (const char *)(at - 1);
}

/* The block behind the one that is called so, in a list of pairs. */
static const uint8_t *find(const uint8_t *list, uint16_t count, const char *name) {
    for (const uint8_t *at = list; count > 0; count--, at = behind(behind(at)))
        if (is_called(at, name)) return behind(at);
    return NULL;
}

static void hold(struct pairs *pairs, const uint8_t *first, uint16_t count) {
    char *value = pairs->values;
    pairs->first = first;
    pairs->count = count;
    for (const uint8_t *at = first; count > 0; count--, at = behind(behind(at))) {
        size_t bytes = anechoic_get16(behind(at));
        memcpy(value, behind(at) + 2, bytes);
        value[bytes] = 0;
        value += bytes + 1;
    }
}

static const char *value_of(const struct pairs *pairs, const char *name) {
    const uint8_t *at = pairs->first;
    const char *value = pairs->values;
    for (uint16_t index = 0; index < pairs->count; index++, at = behind(behind(at))) {
        if (is_called(at, name)) return value;
        value += anechoic_get16(behind(at)) + 1;
    }
    return NULL;
}

const char *anechoic_parameter(const char *name) { return value_of(&parameters, name); }

const char *anechoic_argument(const char *name) { return value_of(&arguments, name); }

static char refusal[512];

uint64_t anechoic_number(const char *name, uint64_t otherwise) {
    const char *text = anechoic_parameter(name);
    char *rest;
    if (!text) return otherwise;
    errno = 0;
    uint64_t number = strtoull(text, &rest, 10);
    bool is_number = *text >= '0' && *text <= '9' && !*rest && !errno;
    if (!is_number && is_in_turn) anechoic_fail("the parameter \"%s\" is a number, not %s", name, text);
    if (!is_number)
        snprintf(refusal, sizeof refusal, "the parameter \"%s\" is a number, not %.200s", name, text);
    return number;
}

const uint8_t *anechoic_stored(const char *name, size_t *count) {
    const uint8_t *entry = noted(name), *value = entry ? behind(entry + 1) : find(stored, stored_count, name);
    if (entry && !*entry) value = NULL;
    *count = value ? anechoic_get16(value) : 0;
    return value ? value + 2 : NULL;
}

static bool is_in(const char *const *list, const uint8_t *block) {
    for (; list && *list; list++)
        if (is_called(block, *list)) return true;
    return false;
}

static void add(char *text, size_t size, const char *more) { strncat(text, more, size - strlen(text) - 1); }

static void refuse_unknown(const char *what, const uint8_t *block, const char *const *known) {
    snprintf(refusal, sizeof refusal, "there is no %s \"%.*s\"; known are: ", what, (int)anechoic_get16(block),
             (const char *)block + 2);
    if (!known || !*known) add(refusal, sizeof refusal, "none");
    for (; known && *known; known++) {
        add(refusal, sizeof refusal, *known);
        if (known[1]) add(refusal, sizeof refusal, ", ");
    }
}

/* What stands behind so many blocks of bytes that nobody has looked at yet; NULL where they end before. */
static const uint8_t *skip(const uint8_t *block, size_t blocks, const uint8_t *end) {
    for (; blocks > 0; blocks--) {
        if (end - block < 2 || end - block - 2 < anechoic_get16(block)) return NULL;
        block = behind(block);
    }
    return block;
}

/* The same in a reset, which is as long as it says. */
static const uint8_t *skipped(const uint8_t *block, size_t blocks) {
    const uint8_t *next = skip(block, blocks, life + incoming->count);
    if (!next) wrong("a reset ends within a text");
    return next;
}

static uint16_t counted(const uint8_t *at) {
    if (life + incoming->count - at < 2) wrong("a reset ends within a count");
    return anechoic_get16(at);
}

/* Nothing of an earlier life is set. */
static void forget_everything(void) {
    for (; timers; timers = timers->next) timers->is_known = false;
    for (; works; works = works->next) works->number = 0;
    last_work = 0;
    drawn = 0;
    now = 0;
    refusal[0] = 0;
    journal_length = 0;
    anechoic_gatt_event = NULL;
}

/* Reads a reset (DEVICE-LINK.md section 4) and says whether the firmware can be that. */
static void become(void) {
    forget_everything();
    memcpy(life, incoming->bytes, incoming->count);
    uint8_t *name = life + 1;
    uint8_t *model = (uint8_t *)skipped(name, 1);
    uint8_t *at = (uint8_t *)skipped(model, 1);
    if (life + incoming->count - at < 21) wrong("a reset ends within its numbers");
    present.incarnation = anechoic_get32(at);
    key = anechoic_get64(at + 4);
    present.address.is_random = at[12];
    memcpy(present.address.octets, at + 13, 6);
    uint16_t parameter_count = anechoic_get16(at + 19);
    const uint8_t *first = at + 21, *defects = skipped(first, 2 * (size_t)parameter_count);
    const uint8_t *pairs = skipped(defects + 2, counted(defects));
    stored_count = counted(pairs);
    stored = pairs + 2;
    if (skipped(stored, 2 * (size_t)stored_count) != life + incoming->count) wrong("a reset is longer than it says");
    hold(&parameters, first, parameter_count);
    const uint8_t *next = first;
    for (uint16_t index = 0; index < parameter_count; index++, next = behind(behind(next)))
        if (!is_in(firmware->parameters, next)) refuse_unknown("parameter", next, firmware->parameters);
    if (anechoic_get16(defects) > 0) refuse_unknown("defect", defects + 2, NULL);
    if (anechoic_get16(model) > 0 && !is_in(firmware->models, model)) refuse_unknown("model", model, firmware->models);
    present.model = ended(model + 2, anechoic_get16(model));
    present.name = ended(name + 2, anechoic_get16(name));
    const char *reason = refusal[0] || !firmware->reset ? NULL : firmware->reset(&present);
    if (!refusal[0] && reason) snprintf(refusal, sizeof refusal, "%s", reason);
    fflush(NULL);
    if (refusal[0]) put_block(refusal, strlen(refusal));
    give(refusal[0] ? REFUSED : READY);
}

/* MARK: Bonds */

void anechoic_bond_name(char name[BOND_NAME], const anechoic_address *peer) {
    const uint8_t *octets = peer->octets;
    snprintf(name, BOND_NAME, "bond/%02X:%02X:%02X:%02X:%02X:%02X", octets[5], octets[4], octets[3], octets[2], octets[1],
             octets[0]);
}

static bool read_address(const char *text, anechoic_address *address) {
    uint8_t *octets = address->octets;
    int end = 0;
    address->is_random = false;
    return sscanf(text, "%2hhX:%2hhX:%2hhX:%2hhX:%2hhX:%2hhX%n", octets + 5, octets + 4, octets + 3, octets + 2, octets + 1,
                  octets, &end) == 6 && text[end] == 0;
}

/* Whether a block is the name of a bond; and with whom. */
static bool is_bond(const uint8_t *block, char name[BOND_NAME], anechoic_address *peer) {
    if (anechoic_get16(block) != BOND_NAME - 1 || memcmp(block + 2, "bond/", 5) != 0) return false;
    memcpy(name, block + 2, BOND_NAME - 1);
    name[BOND_NAME - 1] = 0;
    return read_address(name + 5, peer);
}

size_t anechoic_bonds(anechoic_address *peers, size_t most) {
    char name[BOND_NAME];
    anechoic_address peer;
    size_t count = 0;
    const uint8_t *pair = stored;
    for (uint16_t index = 0; index < stored_count; index++, pair = behind(behind(pair)))
        if (is_bond(pair, name, &peer) && !noted(name) && count++ < most) peers[count - 1] = peer;
    for (const uint8_t *entry = journal; entry < journal + journal_length; entry = behind(behind(entry + 1)))
        if (*entry && is_bond(entry + 1, name, &peer) && count++ < most) peers[count - 1] = peer;
    return count;
}

void anechoic_erase_bond(const anechoic_address *peer) {
    char name[BOND_NAME];
    anechoic_bond_name(name, peer);
    anechoic_forget(name);
}

static void erase_bonds(void) {
    anechoic_address peer;
    while (anechoic_bonds(&peer, 1) > 0) anechoic_erase_bond(&peer);
}

/* A phone has paired. Its bond has been stored on behalf of this device, which hears of it by a command. */
static void paired(void) {
    uint8_t bond[64];
    size_t count = 0;
    anechoic_address peer;
    char name[BOND_NAME];
    const char *digits = anechoic_argument("bond"), *address = anechoic_argument("peer");
    if (!digits || !address || !read_address(address, &peer)) wrong("a phone that paired has no address or no bond");
    while (count < sizeof bond && sscanf(digits + 2 * count, "%2hhx", bond + count) == 1) count++;
    anechoic_bond_name(name, &peer);
    note(name, true, bond, count);
    if (firmware->paired) firmware->paired(&peer);
}

/* MARK: Turns */

static void timer_expired(const uint8_t *name) {
    for (anechoic_timer *timer = timers; timer; timer = timer->next)
        if (is_called(name, timer->name)) {
            timer->expired(timer);
            return;
        }
}

static void work_came(const uint8_t *bytes) {
    uint32_t number = anechoic_get32(behind(bytes));
    for (anechoic_work *work = works; work; work = work->next)
        if (work->number == number) {
            work->run(work);
            return;
        }
}

static void connected(const uint8_t *bytes) {
    anechoic_address peer = {.is_random = bytes[4]};
    memcpy(peer.octets, bytes + 5, 6);
    firmware->connected(bytes[0], anechoic_get16(bytes + 1), bytes[3], &peer);
}

static void round_came(const uint8_t *bytes) {
    anechoic_round round = {.azimuth = ANECHOIC_NO_ANGLE, .elevation = ANECHOIC_NO_ANGLE};
    round.is_measured = bytes[4];
    if (round.is_measured) {
        round.distance = anechoic_get32(bytes + 5);
        round.azimuth = (int16_t)anechoic_get16(bytes + 9);
        round.elevation = (int16_t)anechoic_get16(bytes + 11);
        round.is_in_sight = bytes[13];
    }
    firmware->uwb_round(anechoic_get32(bytes), &round);
}

static void command_came(const uint8_t *bytes) {
    static char name[UINT16_MAX + 1];
    size_t count = anechoic_get16(bytes);
    memcpy(name, bytes + 2, count);
    name[count] = 0;
    hold(&arguments, behind(bytes) + 2, anechoic_get16(behind(bytes)));
    if (strcmp(name, "paired") == 0) paired();
    if (strcmp(name, "forget-bond") == 0) erase_bonds();
    if (firmware->command) firmware->command(name);
    arguments.count = 0;
}

/* A name and a list of pairs. */
static bool is_command(const uint8_t *bytes, const uint8_t *end) {
    const uint8_t *list = skip(bytes, 1, end);
    return list && end - list >= 2 && skip(list + 2, 2 * (size_t)anechoic_get16(list), end) == end;
}

/* Whether an event has the bytes that section 6 says. */
static bool is_whole(uint8_t type, const uint8_t *bytes, size_t count) {
    switch (type) {
    case EVENT_TIMER: return count >= 2 && count == 2 + (size_t)anechoic_get16(bytes);
    case EVENT_QUEUE: return count >= 6 && count == 6 + (size_t)anechoic_get16(bytes);
    case EVENT_COMMAND: return is_command(bytes, bytes + count);
    case EVENT_CONNECTED: return count == 17;
    case EVENT_DISCONNECTED: return count == 3;
    case EVENT_ACL: return count >= 8 && count == 4 + (size_t)anechoic_get16(bytes + 2);
    case EVENT_COMPLETED: return count == 4;
    case EVENT_KEY_WANTED: return count == 2;
    case EVENT_ENCRYPTED: return count == 4;
    case EVENT_UWB_STARTED: return count == 5;
    case EVENT_UWB_ROUND: return count >= 5 && count == (bytes[4] ? 14 : 5);
    default: return true;
    }
}

static void handle(uint8_t type, const uint8_t *bytes, size_t count) {
    if (!is_whole(type, bytes, count)) wrong("an event of another length");
    if (anechoic_gatt_event) anechoic_gatt_event(type, bytes, count);
    switch (type) {
    case EVENT_BOOT:
        if (firmware->boot) firmware->boot();
        break;
    case EVENT_TIMER: timer_expired(bytes); break;
    case EVENT_QUEUE: work_came(bytes); break;
    case EVENT_COMMAND: command_came(bytes); break;
    case EVENT_CONNECTED:
        if (firmware->connected) connected(bytes);
        break;
    case EVENT_DISCONNECTED:
        if (firmware->disconnected) firmware->disconnected(anechoic_get16(bytes), bytes[2]);
        break;
    case EVENT_ENCRYPTED:
        if (firmware->encrypted) firmware->encrypted(anechoic_get16(bytes + 1), bytes[0]);
        break;
    case EVENT_UWB_STARTED:
        if (firmware->uwb_started) firmware->uwb_started(anechoic_get32(bytes), bytes[4]);
        break;
    case EVENT_UWB_ROUND:
        if (firmware->uwb_round) round_came(bytes);
        break;
    default:
        if (firmware->event) firmware->event(type, bytes, count);
    }
}

/* A grant: u32 turn, u64 now, u8 event, u32 length, and its bytes. */
static void take_turn(void) {
    const uint8_t *frame = incoming->bytes;
    if (incoming->count < 18 || anechoic_get32(frame + 14) != incoming->count - 18) wrong("a grant of another length");
    now = anechoic_get64(frame + 5);
    answer_count = 0;
    put32(anechoic_get32(frame + 1));
    is_in_turn = true;
    if (!refusal[0]) handle(frame[13], frame + 18, incoming->count - 18);
    is_in_turn = false;
    give(ANSWERS);
}

/* Plays from the reset in `incoming` on, until a frame that is another's: a farewell or, in a copy of the process, the
 * next reset. */
static void play(bool is_copy) {
    become();
    for (;;) {
        take_frame();
        switch (incoming->bytes[0]) {
        case GRANT: take_turn(); break;
        case RESET:
            if (is_copy) return;
            become();
            break;
        case FAREWELL: return;
        default: wrong("its type is no orchestrator's");
        }
    }
}

/* Whoever waits for this process learns what became of the copy that played. */
static void end_as(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        leave(WEXITSTATUS(status));
    }
}

static void play_in_copy(void) {
    pid_t original = getpid();
    fflush(NULL);
    incoming->is_over = false;
    pid_t copy = fork();
    int status = 0;
    if (copy < 0) {
        anechoic_log("the system has no room for the process of a run: %s", strerror(errno));
        leave(NO_PROCESS);
    }
    if (copy == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* It may have died before it was heard of. */
        if (getppid() != original) _exit(0);
        play(true);
        incoming->is_over = true;
        /* With all that main's return does: sanitizers look for leaks then, and coverage is written. */
        exit(0);
    }
    while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {}
    end_as(status);
    if (!incoming->is_over) {
        anechoic_log("the firmware has called exit, and the run goes on");
        leave(SOFTWARE);
    }
}

/* MARK: The start */

/* Opens what ANECHOIC_LINK names; false where it names nothing. */
static bool open_link(const char *link) {
    char rest;
    if (sscanf(link, "pipes:%d,%d%c", &source, &sink, &rest) == 2) return true;
    if (sscanf(link, "socket:%d%c", &source, &rest) == 1) {
        sink = source;
        return true;
    }
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    if (strncmp(link, "unix:", 5) != 0 || strlen(link + 5) >= sizeof place.sun_path) return false;
    strcpy(place.sun_path, link + 5);
    source = sink = socket(AF_UNIX, SOCK_STREAM, 0);
    if (source < 0 || connect(source, (struct sockaddr *)&place, sizeof place) != 0) {
        fprintf(stderr, "%s: %s cannot be dialled: %s\n", firmware->program, link + 5, strerror(errno));
        exit(INPUT_OUTPUT);
    }
    return true;
}

int anechoic_run(const anechoic_firmware *device) {
    const char *link = getenv("ANECHOIC_LINK");
    firmware = device;
    if (!link || !open_link(link)) {
        fprintf(stderr, "%s: a topology starts this program (run: ./%s), with ANECHOIC_LINK in its environment\n",
                firmware->program, firmware->program);
        return USAGE;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0);
    incoming = mmap(NULL, sizeof *incoming, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (incoming == MAP_FAILED) {
        fprintf(stderr, "%s: there is no memory for a frame: %s\n", firmware->program, strerror(errno));
        return NO_PROCESS;
    }
    uint8_t flags = firmware->clears_itself ? 0 : AFRESH_BY_RESET;
    put("ANCH", 4);
    put16(1);
    put16(1);
    put(&flags, 1);
    put_name(firmware->program, "the program");
    give(HELLO);
    for (take_frame(); incoming->bytes[0] == RESET;) {
        if (!firmware->clears_itself)
            play_in_copy();
        else
            play(false);
    }
    if (incoming->bytes[0] != FAREWELL) wrong("expected a reset or a farewell");
    return 0;
}
