/* Healthy accessories that differ in what R4 leaves to their maker: the argument names one, designs.json says why it may.
 *
 * Each is a firmware of the vendors' kind, for one phone at a time, with a manner of its own.
 */
#include <anechoic.h>
#include <anechoic_gatt.h>
#include <niq.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_MTU = 100, POWER_OFF = 0x15, FAST = 32, SLOW = 668 /* 417.5 ms, of 0.625 ms */ };
static const uint64_t millisecond = 1000000, second = 1000000000;

/* MARK: What is different */

static const char *const names[] = {
    "nordic", "responder", "deferred", "heartbeat", "slows-down", "hangs-up", "impatient", NULL};

static enum manner {
    NORDIC,     /* talks by the Nordic UART */
    RESPONDER,  /* the phone begins each round */
    DEFERRED,   /* says DidStart and DidStop when its work queue comes to it */
    HEARTBEAT,  /* sends a message of its own every two seconds */
    SLOWS_DOWN, /* advertises more seldom after 30 s */
    HANGS_UP,   /* ends the link two seconds after a stop */
    IMPATIENT   /* ends a session after ten seconds in which it has heard nobody */
} manner;

/* MARK: Services */

static void received(uint16_t connection, const uint8_t *bytes, size_t count);
static void subscribed(uint16_t connection, bool is_on);

enum { RECEIVE, TRANSMIT, SECURED };
static anechoic_characteristic messages[] = {
    [RECEIVE] = {
        .uuid = ANECHOIC_UUID(0x2E93998A, 0x6A61, 0x11ED, 0xA1EB, 0x0242AC120002),
        .properties = ANECHOIC_WRITE | ANECHOIC_WRITE_WITHOUT_RESPONSE,
        .written = received,
    },
    [TRANSMIT] = {
        .uuid = ANECHOIC_UUID(0x2E939AF2, 0x6A61, 0x11ED, 0xA1EB, 0x0242AC120002),
        .properties = ANECHOIC_NOTIFY,
        .subscribed = subscribed,
    },
    [SECURED] = {
        .uuid = ANECHOIC_UUID(0x2E93941C, 0x6A61, 0x11ED, 0xA1EB, 0x0242AC120002),
        .properties = ANECHOIC_READ | ANECHOIC_ENCRYPTED,
        .value = (const uint8_t *)"tag",
        .count = 3,
    },
};

static anechoic_characteristic configuration_data = {
    .uuid = ANECHOIC_UUID(0x95E8D9D5, 0xD8EF, 0x4721, 0x9A4E, 0x807375F53328),
    .properties = ANECHOIC_READ | ANECHOIC_ENCRYPTED,
};

static anechoic_service services[] = {
    {ANECHOIC_UUID(0x2E938FD0, 0x6A61, 0x11ED, 0xA1EB, 0x0242AC120002), messages, 3},
    {ANECHOIC_UUID(0x48FE3E40, 0x0817, 0x4BB2, 0x8633, 0x3073689C2DBA), &configuration_data, 1},
};

/* The Nordic UART has two characteristics. */
static void become_nordic(void) {
    static const anechoic_uuid uart[] = {
        ANECHOIC_UUID(0x6E400001, 0xB5A3, 0xF393, 0xE0A9, 0xE50E24DCCA9E),
        ANECHOIC_UUID(0x6E400002, 0xB5A3, 0xF393, 0xE0A9, 0xE50E24DCCA9E),
        ANECHOIC_UUID(0x6E400003, 0xB5A3, 0xF393, 0xE0A9, 0xE50E24DCCA9E),
    };
    services[0].uuid = uart[0];
    services[0].count = 2;
    messages[RECEIVE].uuid = uart[1];
    messages[TRANSMIT].uuid = uart[2];
}

/* MARK: Words */

static const char *name;
static bool is_connected, is_off;
static uint16_t phone;

/* One timer, and what it is for in each manner. */
static anechoic_timer later;

/* What has to be said yet, 0 for nothing. */
static uint8_t owed;

static void send(const void *bytes, size_t count) {
    if (!anechoic_notify(phone, &messages[TRANSMIT], bytes, count))
        anechoic_log("message 0x%02X could not be sent", *(const uint8_t *)bytes);
}

/* Says what is owed. */
static void pay(void) {
    uint8_t id = owed;
    owed = 0;
    if (id) send(&id, 1);
}

static void say(MessageId id) {
    pay();
    owed = (uint8_t)id;
    if (manner == DEFERRED) anechoic_timer_start(&later, 300 * millisecond, 400 * millisecond);
    else pay();
}

/* MARK: Messages */

static anechoic_uwb radio;
static uint32_t session;
static bool is_running;
static uint64_t missing_since;

static void initialize(void) {
    static struct {
        uint8_t id;
        struct AccessoryConfigurationData configuration;
    } message;
    niq_stop_uwb();
    niq_reinit();
    message.id = MessageId_accessoryConfigurationData;
    message.configuration = (struct AccessoryConfigurationData){
        .majorVersion = NI_ACCESSORY_PROTOCOL_SPEC_MAJOR_VERSION,
        .minorVersion = NI_ACCESSORY_PROTOCOL_SPEC_MINOR_VERSION,
        .preferredUpdateRate = PreferredUpdateRate_UserInteractive,
    };
    niq_populate_accessory_uwb_config_data(
        message.configuration.uwbConfigData, &message.configuration.uwbConfigDataLength);
    configuration_data.value = (const uint8_t *)&message.configuration;
    configuration_data.count =
        ACCESSORY_CONFIGURATION_DATA_FIX_LEN + (size_t)message.configuration.uwbConfigDataLength;
    send(&message, 1 + configuration_data.count);
}

static void stop(void) {
    niq_stop_uwb();
    niq_reinit();
    say(MessageId_accessoryUwbDidStop);
}

static void configure_and_start(const uint8_t *bytes, size_t count) {
    uint8_t payload[NI_MAX_PACKET_SIZE];
    size_t length = count < sizeof payload ? count : sizeof payload;
    memcpy(payload, bytes, length);
    niq_stop_uwb();
    if (niq_configure_and_start_uwb(payload, (uint8_t)length, &radio) != 0) stop();
}

static void received(uint16_t connection, const uint8_t *bytes, size_t count) {
    (void)connection;
    if (count == 0) return;
    pay();
    if (manner == HANGS_UP) anechoic_timer_stop(&later);
    if (bytes[0] == MessageId_init && count == 1) initialize();
    if (bytes[0] == MessageId_configure_and_start) configure_and_start(bytes + 1, count - 1);
    if (bytes[0] == MessageId_stop && count == 1) {
        stop();
        if (manner == HANGS_UP) anechoic_timer_start(&later, 2 * second, 0);
    }
}

static void subscribed(uint16_t connection, bool is_on) {
    (void)connection;
    if (manner == HEARTBEAT && is_on) anechoic_timer_start(&later, 2 * second, 0);
}

static void beat(void) {
    static uint8_t heartbeat[2] = {0x81, 0};
    heartbeat[1]++;
    send(heartbeat, sizeof heartbeat);
    anechoic_timer_start(&later, 2 * second, 0);
}

/* MARK: UWB */

static void start_uwb(void) {
    is_running = anechoic_uwb_start(++session, &radio);
    missing_since = 0;
}

static void stop_uwb(void) {
    if (is_running) anechoic_uwb_stop(session);
    is_running = false;
}

static void uwb_started(uint32_t number, uint8_t status) {
    if (!is_running || number != session) return;
    is_running = status == 0;
    if (is_running) say(MessageId_accessoryUwbDidStart);
    else stop();
}

static void uwb_round(uint32_t number, const anechoic_round *round) {
    if (!is_running || number != session) return;
    uint64_t patience = (manner == IMPATIENT ? 10 : 60) * second;
    if (round->is_measured) missing_since = 0;
    else if (missing_since == 0) missing_since = anechoic_now();
    else if (anechoic_now() - missing_since >= patience) stop();
}

static void nothing(void) {}

static void random_bytes(uint8_t *const bytes, size_t count) { anechoic_random_bytes(bytes, count); }

/* MARK: Bluetooth */

static void advertise(uint16_t interval) {
    if (is_off || is_connected) return;
    anechoic_advertise_service(interval, &services[0], name);
    if (manner == SLOWS_DOWN && interval == FAST) anechoic_timer_start(&later, 30 * second, 0);
}

static void expired(anechoic_timer *timer) {
    (void)timer;
    if (manner == SLOWS_DOWN) advertise(SLOW);
    else if (!is_connected) return;
    else if (manner == HANGS_UP) anechoic_disconnect(phone, 0x13);
    else if (manner == HEARTBEAT) beat();
    else pay();
}

static const char *reset(const anechoic_reset *as) {
    name = as->name;
    return NULL;
}

static void boot(void) {
    later = (anechoic_timer){.name = "later", .expired = expired};
    niq_init(start_uwb, stop_uwb, nothing, nothing, random_bytes);
    if (manner == RESPONDER) niq_set_ranging_role(0);
    if (manner == NORDIC) become_nordic();
    anechoic_serve(name, LARGEST_MTU, services, sizeof services / sizeof services[0]);
    advertise(FAST);
}

static void connected(uint8_t status, uint16_t connection, bool is_central, const anechoic_address *peer) {
    (void)is_central, (void)peer;
    if (status != 0) return;
    is_connected = true;
    phone = connection;
    anechoic_timer_stop(&later);
    if (is_off) anechoic_disconnect(connection, POWER_OFF);
}

static void disconnected(uint16_t connection, uint8_t reason) {
    (void)connection, (void)reason;
    is_connected = false;
    owed = 0;
    anechoic_timer_stop(&later);
    niq_stop_uwb();
    niq_reinit();
    configuration_data.count = 0;
    advertise(FAST);
}

static void command(const char *what) {
    const char *power = anechoic_argument("power");
    if (strcmp(what, "stop") == 0 && is_running) stop();
    if (strcmp(what, "bluetooth") != 0 || !power) return;
    is_off = strcmp(power, "off") == 0;
    if (is_off) anechoic_stop_advertising();
    if (is_off && is_connected) anechoic_disconnect(phone, POWER_OFF);
    advertise(FAST);
}

int main(int count, char **words) {
    static const char *const models[] = {"", "qorvo", NULL};
    static const anechoic_firmware firmware = {
        .program = "accessory.c",
        .models = models,
        .reset = reset,
        .boot = boot,
        .command = command,
        .connected = connected,
        .disconnected = disconnected,
        .uwb_started = uwb_started,
        .uwb_round = uwb_round,
    };
    for (size_t place = 0; count == 2 && names[place]; place++) {
        manner = (enum manner)place;
        if (strcmp(names[place], words[1]) == 0) return anechoic_run(&firmware);
    }
    fprintf(stderr, "accessory.c: expected the name of a design\n");
    return 64;
}
