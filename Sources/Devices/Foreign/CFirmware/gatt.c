#include "anechoic_gatt.h"
#include "internal.h"

#include <string.h>

enum { MOST_LINKS = 8, MOST_ATTRIBUTES = 128, MOST_FRAMES = 16 };
enum { LARGEST_MTU = 517, SMALLEST_MTU = 23, LONGEST_VALUE = 512, ATT = 4 };

/* Requests, by their opcodes (Core Specification Vol 3 Part F 3.4.8). */
enum {
    ERROR_RESPONSE = 0x01, EXCHANGE_MTU = 0x02, FIND_INFORMATION = 0x04, FIND_BY_TYPE_VALUE = 0x06, READ_BY_TYPE = 0x08,
    READ_REQUEST = 0x0A, READ_BLOB = 0x0C, READ_BY_GROUP_TYPE = 0x10, WRITE_REQUEST = 0x12, NOTIFICATION = 0x1B,
    CONFIRMATION = 0x1E, WRITE_COMMAND = 0x52
};

/* Errors (3.4.1.1). NONE is ours: the request is answered. */
enum {
    NONE = 0x00, INVALID_HANDLE = 0x01, READ_NOT_PERMITTED = 0x02, WRITE_NOT_PERMITTED = 0x03, INVALID_PDU = 0x04,
    NOT_SUPPORTED = 0x06, INVALID_OFFSET = 0x07, NOT_FOUND = 0x0A, INVALID_LENGTH = 0x0D, NOT_ENCRYPTED = 0x0F,
    NO_GROUP = 0x10
};

enum kind { SERVICE, DECLARATION, VALUE, CONFIGURATION, DESCRIPTION };

/* What stands behind a handle: the attribute at index 0 has handle 1. */
struct attribute {
    enum kind kind;
    uint16_t end; /* the last handle of a service */
    const anechoic_service *service;
    anechoic_characteristic *characteristic;
};

struct link {
    bool is_up, is_encrypted;
    uint16_t connection, mtu, waiting; /* frames that wait in the controller */
    uint32_t subscribed; /* a bit for each notifier */
    anechoic_address peer;
};

static struct attribute attributes[MOST_ATTRIBUTES];
static uint16_t attribute_count, largest_mtu;
static uint8_t notifier_count;
static struct link links[MOST_LINKS];
static uint8_t reply[LARGEST_MTU];
static size_t reply_count;

static anechoic_characteristic generic_access[2];
static anechoic_service generic[2];

/* MARK: The attributes */

static struct attribute *add(
    enum kind kind, const anechoic_service *service, anechoic_characteristic *characteristic) {
    if (attribute_count == MOST_ATTRIBUTES) anechoic_fail("more than %d attributes", MOST_ATTRIBUTES);
    struct attribute *attribute = &attributes[attribute_count++];
    *attribute = (struct attribute){kind, attribute_count, service, characteristic};
    return attribute;
}

static void add_service(anechoic_service *service) {
    struct attribute *first = add(SERVICE, service, NULL);
    for (size_t index = 0; index < service->count; index++) {
        anechoic_characteristic *characteristic = &service->characteristics[index];
        add(DECLARATION, service, characteristic);
        characteristic->handle = (uint16_t)(add(VALUE, service, characteristic) - attributes + 1);
        if (characteristic->properties & ANECHOIC_NOTIFY) {
            if (notifier_count == 32) anechoic_fail("more than 32 characteristics that notify");
            characteristic->notifier = notifier_count++;
            add(CONFIGURATION, service, characteristic);
        }
        if (characteristic->description) add(DESCRIPTION, service, characteristic);
    }
    first->end = attribute_count;
}

static anechoic_uuid short_uuid(uint16_t number) {
    return (anechoic_uuid){2, {(uint8_t)(number & 0xFF), (uint8_t)(number >> 8)}};
}

static anechoic_uuid type_of(const struct attribute *attribute) {
    switch (attribute->kind) {
    case SERVICE: return short_uuid(0x2800);
    case DECLARATION: return short_uuid(0x2803);
    case CONFIGURATION: return short_uuid(0x2902);
    case DESCRIPTION: return short_uuid(0x2901);
    default: return attribute->characteristic->uuid;
    }
}

/* A UUID of 16 bits may come with all 128 (Core Specification Vol 3 Part B 2.5.1). */
static bool is_uuid(anechoic_uuid uuid, const uint8_t *bytes, size_t count) {
    static const uint8_t base[12] = {0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00};
    if (uuid.length == 2 && count == 16)
        return memcmp(bytes, base, sizeof base) == 0 && memcmp(bytes + 12, uuid.bytes, 2) == 0 &&
               bytes[14] == 0 && bytes[15] == 0;
    return uuid.length == count && memcmp(uuid.bytes, bytes, count) == 0;
}

static struct attribute *attribute_at(uint16_t handle) {
    return handle > 0 && handle <= attribute_count ? &attributes[handle - 1] : NULL;
}

/* What a peer reads: how many bytes there are, or what keeps it from reading. */
static uint8_t read_value(
    const struct link *link, const struct attribute *attribute, const uint8_t **bytes, size_t *count) {
    static uint8_t made[19];
    const anechoic_characteristic *characteristic = attribute->characteristic;
    *bytes = made;
    switch (attribute->kind) {
    case SERVICE:
        *bytes = attribute->service->uuid.bytes;
        *count = attribute->service->uuid.length;
        return NONE;
    case DECLARATION:
        made[0] = (uint8_t)(characteristic->properties & 0xFF);
        anechoic_put16(made + 1, characteristic->handle);
        memcpy(made + 3, characteristic->uuid.bytes, characteristic->uuid.length);
        *count = 3 + (size_t)characteristic->uuid.length;
        return NONE;
    case CONFIGURATION:
        anechoic_put16(made, link->subscribed >> characteristic->notifier & 1);
        *count = 2;
        return NONE;
    case DESCRIPTION:
        *bytes = (const uint8_t *)characteristic->description;
        *count = strlen(characteristic->description);
        break;
    default:
        if (!(characteristic->properties & ANECHOIC_READ)) return READ_NOT_PERMITTED;
        *bytes = characteristic->value;
        *count = characteristic->count;
    }
    if (characteristic->properties & ANECHOIC_ENCRYPTED && !link->is_encrypted) return NOT_ENCRYPTED;
    if (*count > LONGEST_VALUE) *count = LONGEST_VALUE;
    return NONE;
}

/* MARK: Requests */

static void append(const struct link *link, const void *bytes, size_t count) {
    size_t room = link->mtu - reply_count;
    if (count > room) count = room;
    if (count > 0) memcpy(reply + reply_count, bytes, count);
    reply_count += count;
}

/* Begins a response. */
static void respond(uint8_t opcode) {
    reply[0] = opcode;
    reply_count = 1;
}

static uint8_t exchange_mtu(struct link *link, const uint8_t *pdu, size_t count) {
    if (count != 3) return INVALID_PDU;
    uint16_t wanted = anechoic_get16(pdu + 1), mtu = wanted < largest_mtu ? wanted : largest_mtu;
    respond(EXCHANGE_MTU + 1);
    anechoic_put16(reply + 1, largest_mtu);
    reply_count = 3;
    /* The answer still goes with the old one, which it fits into. */
    link->mtu = mtu < SMALLEST_MTU ? SMALLEST_MTU : mtu;
    return NONE;
}

/* One entry of a list: handles and a value. False where the list has no room for it or is of another kind. */
static bool add_entry(
    const struct link *link, size_t head, size_t *size, const uint8_t *front, size_t front_count, const uint8_t *value,
    size_t count) {
    size_t most = link->mtu - head - front_count;
    if (count > most) count = most;
    if (count > 255 - front_count) count = 255 - front_count;
    if (*size == 0) *size = front_count + count;
    if (front_count + count != *size || reply_count + *size > link->mtu) return false;
    append(link, front, front_count);
    append(link, value, count);
    return true;
}

/* The four requests that look through a range of handles; `where` is the handle of an error. */
static uint8_t look_through(struct link *link, const uint8_t *pdu, size_t count, uint16_t *where) {
    uint8_t opcode = pdu[0];
    if (count < 5 || (opcode == FIND_INFORMATION && count != 5) || (opcode == FIND_BY_TYPE_VALUE && count < 7))
        return INVALID_PDU;
    uint16_t first = *where = anechoic_get16(pdu + 1), last = anechoic_get16(pdu + 3);
    const uint8_t *type = pdu + 5, *wanted = pdu + 7;
    size_t type_count = opcode == FIND_BY_TYPE_VALUE ? 2 : count - 5, size = 0;
    bool has_type = opcode != FIND_INFORMATION, is_grouped = opcode == READ_BY_GROUP_TYPE;
    if (has_type && type_count != 2 && type_count != 16) return INVALID_PDU;
    if (first == 0 || first > last) return INVALID_HANDLE;
    if (is_grouped && !is_uuid(short_uuid(0x2800), type, type_count)) return NO_GROUP;
    respond(opcode + 1);
    size_t head = opcode == FIND_BY_TYPE_VALUE ? 1 : 2;
    reply_count = head;
    for (uint16_t handle = first; handle <= last && handle <= attribute_count; handle++) {
        const struct attribute *attribute = &attributes[handle - 1];
        anechoic_uuid uuid = type_of(attribute);
        const uint8_t *value = uuid.bytes;
        size_t value_count = uuid.length, front_count = 2;
        uint8_t front[4];
        if (has_type) {
            if (!is_uuid(uuid, type, type_count)) continue;
            uint8_t error = read_value(link, attribute, &value, &value_count);
            if (error != NONE && opcode == READ_BY_TYPE) {
                *where = handle;
                if (size == 0) return error;
                break;
            }
            if (error != NONE) continue;
        }
        if (opcode == FIND_BY_TYPE_VALUE) {
            if (value_count != count - 7 || (value_count > 0 && memcmp(value, wanted, value_count) != 0)) continue;
            value_count = 0;
        }
        anechoic_put16(front, handle);
        if (opcode == FIND_BY_TYPE_VALUE || is_grouped) {
            anechoic_put16(front + 2, attribute->end);
            front_count = 4;
        }
        if (!add_entry(link, head, &size, front, front_count, value, value_count)) break;
    }
    if (size == 0) return NOT_FOUND;
    if (opcode == FIND_INFORMATION) reply[1] = size == 4 ? 1 : 2;
    else if (head == 2) reply[1] = (uint8_t)size;
    return NONE;
}

static uint8_t read_one(struct link *link, const uint8_t *pdu, size_t count, uint16_t *where) {
    bool is_part = pdu[0] == READ_BLOB;
    if (count != (is_part ? 5 : 3)) return INVALID_PDU;
    const struct attribute *attribute = attribute_at(*where = anechoic_get16(pdu + 1));
    size_t offset = is_part ? anechoic_get16(pdu + 3) : 0, value_count = 0;
    const uint8_t *value;
    if (!attribute) return INVALID_HANDLE;
    uint8_t error = read_value(link, attribute, &value, &value_count);
    if (error != NONE) return error;
    if (offset > value_count) return INVALID_OFFSET;
    respond(pdu[0] + 1);
    append(link, value_count > offset ? value + offset : NULL, value_count - offset);
    return NONE;
}

static uint8_t check_write(const struct attribute *attribute, uint8_t opcode, size_t count) {
    if (!attribute) return INVALID_HANDLE;
    if (attribute->kind == CONFIGURATION) {
        if (opcode != WRITE_REQUEST) return WRITE_NOT_PERMITTED;
        return count == 2 ? NONE : INVALID_LENGTH;
    }
    uint16_t needed = opcode == WRITE_REQUEST ? ANECHOIC_WRITE : ANECHOIC_WRITE_WITHOUT_RESPONSE;
    if (attribute->kind != VALUE || !(attribute->characteristic->properties & needed)) return WRITE_NOT_PERMITTED;
    return count > LONGEST_VALUE ? INVALID_LENGTH : NONE;
}

static void send_pdu(struct link *link, const uint8_t *pdu, size_t count) {
    link->waiting++;
    anechoic_send(link->connection, ATT, pdu, count);
}

static void send_reply(struct link *link) {
    if (reply_count > 0) send_pdu(link, reply, reply_count);
    reply_count = 0;
}

static void configure(struct link *link, const anechoic_characteristic *characteristic, bool is_on) {
    uint32_t bit = UINT32_C(1) << characteristic->notifier;
    link->subscribed = is_on ? link->subscribed | bit : link->subscribed & ~bit;
    if (characteristic->subscribed) characteristic->subscribed(link->connection, is_on);
}

static uint8_t write_one(struct link *link, const uint8_t *pdu, size_t count, uint16_t *where) {
    if (count < 3) return INVALID_PDU;
    const struct attribute *attribute = attribute_at(*where = anechoic_get16(pdu + 1));
    const uint8_t *value = pdu + 3;
    uint8_t error = check_write(attribute, pdu[0], count - 3);
    if (error != NONE) return error;
    /* The answer goes first: what the firmware notifies now comes behind it. */
    if (pdu[0] == WRITE_REQUEST) {
        respond(WRITE_REQUEST + 1);
        send_reply(link);
    }
    const anechoic_characteristic *characteristic = attribute->characteristic;
    if (attribute->kind == CONFIGURATION) configure(link, characteristic, value[0] & 1);
    else if (characteristic->written) characteristic->written(link->connection, value, count - 3);
    return NONE;
}

static uint8_t answer(struct link *link, const uint8_t *pdu, size_t count, uint16_t *where) {
    switch (pdu[0]) {
    case EXCHANGE_MTU: return exchange_mtu(link, pdu, count);
    case FIND_INFORMATION:
    case FIND_BY_TYPE_VALUE:
    case READ_BY_TYPE:
    case READ_BY_GROUP_TYPE: return look_through(link, pdu, count, where);
    case READ_REQUEST:
    case READ_BLOB: return read_one(link, pdu, count, where);
    case WRITE_REQUEST:
    case WRITE_COMMAND: return write_one(link, pdu, count, where);
    default: return NOT_SUPPORTED;
    }
}

static void received(struct link *link, const uint8_t *frame, size_t count) {
    const uint8_t *pdu = frame + 4;
    if (count < 5 || anechoic_get16(frame + 2) != ATT) return;
    uint16_t where = 0;
    reply_count = 0;
    uint8_t error = answer(link, pdu, count - 4, &where);
    if (error != NONE) {
        respond(ERROR_RESPONSE);
        reply[1] = pdu[0];
        anechoic_put16(reply + 2, where);
        reply[4] = error;
        reply_count = 5;
    }
    /* Commands, responses and confirmations are never answered, not even by an error. */
    bool is_request = (pdu[0] & 0x41) == 0 && pdu[0] != CONFIRMATION;
    if (is_request) send_reply(link);
}

/* MARK: Links */

static struct link *link_of(uint16_t connection) {
    for (struct link *link = links; link < links + MOST_LINKS; link++)
        if (link->is_up && link->connection == connection) return link;
    return NULL;
}

static void came_up(const uint8_t *bytes) {
    if (bytes[0] != 0) return;
    for (struct link *link = links; link < links + MOST_LINKS; link++) {
        if (link->is_up) continue;
        *link = (struct link){.is_up = true, .connection = anechoic_get16(bytes + 1), .mtu = SMALLEST_MTU};
        link->peer.is_random = bytes[4];
        memcpy(link->peer.octets, bytes + 5, 6);
        return;
    }
    anechoic_disconnect(anechoic_get16(bytes + 1), 0x14);
}

/* The central wants to encrypt: with the key of the bond, where there is one. */
static void key_wanted(const struct link *link) {
    char name[BOND_NAME];
    size_t count;
    anechoic_bond_name(name, &link->peer);
    const uint8_t *key = anechoic_stored(name, &count);
    uint8_t bytes[19] = {0};
    bool is_known = key && count >= 16;
    anechoic_put16(bytes, link->connection);
    bytes[2] = is_known;
    if (is_known) memcpy(bytes + 3, key, 16);
    anechoic_answer(0x19, bytes, is_known ? 19 : 3);
}

static void handle(uint8_t type, const uint8_t *bytes, size_t count) {
    struct link *link;
    (void)count;
    switch (type) {
    case EVENT_CONNECTED: came_up(bytes); break;
    case EVENT_DISCONNECTED:
        if ((link = link_of(anechoic_get16(bytes)))) link->is_up = false;
        break;
    case EVENT_ACL:
        if ((link = link_of(anechoic_get16(bytes)))) received(link, bytes + 4, anechoic_get16(bytes + 2));
        break;
    case EVENT_COMPLETED:
        if ((link = link_of(anechoic_get16(bytes)))) {
            uint16_t sent = anechoic_get16(bytes + 2);
            link->waiting = link->waiting > sent ? (uint16_t)(link->waiting - sent) : 0;
        }
        break;
    case EVENT_KEY_WANTED:
        if ((link = link_of(anechoic_get16(bytes)))) key_wanted(link);
        break;
    case EVENT_ENCRYPTED:
        if ((link = link_of(anechoic_get16(bytes + 1)))) link->is_encrypted = bytes[0] == 0 && bytes[3];
        break;
    default: break;
    }
}

/* MARK: What the firmware calls */

void anechoic_serve(const char *name, uint16_t mtu, anechoic_service *services, size_t count) {
    static const uint8_t unknown_appearance[2] = {0, 0};
    largest_mtu = mtu < SMALLEST_MTU ? SMALLEST_MTU : mtu > LARGEST_MTU ? LARGEST_MTU : mtu;
    attribute_count = 0;
    notifier_count = 0;
    memset(links, 0, sizeof links);
    generic_access[0] = (anechoic_characteristic){
        .uuid = short_uuid(0x2A00), .properties = ANECHOIC_READ, .value = (const uint8_t *)name, .count = strlen(name)};
    generic_access[1] = (anechoic_characteristic){
        .uuid = short_uuid(0x2A01), .properties = ANECHOIC_READ, .value = unknown_appearance, .count = 2};
    generic[0] = (anechoic_service){short_uuid(0x1800), generic_access, 2};
    generic[1] = (anechoic_service){short_uuid(0x1801), NULL, 0};
    add_service(&generic[0]);
    add_service(&generic[1]);
    for (size_t index = 0; index < count; index++) add_service(&services[index]);
    anechoic_gatt_event = handle;
}

bool anechoic_notify(
    uint16_t connection, const anechoic_characteristic *characteristic, const void *bytes, size_t count) {
    uint8_t pdu[LARGEST_MTU] = {NOTIFICATION};
    struct link *link = link_of(connection);
    if (!(characteristic->properties & ANECHOIC_NOTIFY) || characteristic->handle == 0)
        anechoic_fail("a notification of a characteristic that does not notify, or is not served");
    if (!link || link->waiting >= MOST_FRAMES || !(link->subscribed >> characteristic->notifier & 1) ||
        count + 3 > link->mtu)
        return false;
    anechoic_put16(pdu + 1, characteristic->handle);
    if (count > 0) memcpy(pdu + 3, bytes, count);
    send_pdu(link, pdu, count + 3);
    return true;
}

void anechoic_advertise_service(uint16_t interval, const anechoic_service *service, const char *name) {
    uint8_t data[31] = {2, 0x01, 0x06}, response[31];
    size_t count = strlen(name), length = service->uuid.length;
    if (count > 29) count = 29;
    data[3] = (uint8_t)(length + 1);
    data[4] = length == 2 ? 0x03 : 0x07;
    memcpy(data + 5, service->uuid.bytes, length);
    response[0] = (uint8_t)(count + 1);
    response[1] = count < strlen(name) ? 0x08 : 0x09;
    memcpy(response + 2, name, count);
    anechoic_advertise(interval, data, length + 5, response, count + 2);
}
