/* A GATT server (Core Specification Vol 3 Parts F and G) on anechoic.h, for firmware that brings none of its own. */
#ifndef ANECHOIC_GATT_H
#define ANECHOIC_GATT_H

#include "anechoic.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ANECHOIC_READ = 0x02,
    ANECHOIC_WRITE_WITHOUT_RESPONSE = 0x04,
    ANECHOIC_WRITE = 0x08,
    ANECHOIC_NOTIFY = 0x10,
    /* Reading needs an encrypted link; a phone that is refused pairs, where the topology says `pairing:`. */
    ANECHOIC_ENCRYPTED = 0x100
};

/* 16 or 128 bits, as Bluetooth sends them: least significant byte first. */
typedef struct {
    uint8_t length; /* 2 or 16 */
    uint8_t bytes[16];
} anechoic_uuid;

/* 2E938FD0-6A61-11ED-A1EB-0242AC120002 is ANECHOIC_UUID(0x2E938FD0, 0x6A61, 0x11ED, 0xA1EB, 0x0242AC120002). */
#define ANECHOIC_UUID(a, b, c, d, e)                                                                          \
    {                                                                                                         \
        16, {                                                                                                 \
            ANECHOIC_BYTE(e, 0), ANECHOIC_BYTE(e, 8), ANECHOIC_BYTE(e, 16), ANECHOIC_BYTE(e, 24),             \
                ANECHOIC_BYTE(e, 32), ANECHOIC_BYTE(e, 40), ANECHOIC_BYTE(d, 0), ANECHOIC_BYTE(d, 8),         \
                ANECHOIC_BYTE(c, 0), ANECHOIC_BYTE(c, 8), ANECHOIC_BYTE(b, 0), ANECHOIC_BYTE(b, 8),           \
                ANECHOIC_BYTE(a, 0), ANECHOIC_BYTE(a, 8), ANECHOIC_BYTE(a, 16), ANECHOIC_BYTE(a, 24)          \
        }                                                                                                     \
    }
#define ANECHOIC_BYTE(value, shift) (uint8_t)((uint64_t)(value) >> (shift) & 0xFF)

/* A characteristic: what the firmware says of it, and what the library keeps. */
typedef struct anechoic_characteristic {
    anechoic_uuid uuid;
    uint16_t properties;
    const char *description; /* of the User Description descriptor; NULL for none */
    /* A peer has written. */
    void (*written)(uint16_t connection, const uint8_t *bytes, size_t count);
    /* A peer has switched notifications. */
    void (*subscribed)(uint16_t connection, bool is_on);
    const uint8_t *value;
    size_t count;
    uint16_t handle;   /* the library's: of its value */
    uint8_t notifier;  /* the library's */
} anechoic_characteristic;

typedef struct {
    anechoic_uuid uuid;
    anechoic_characteristic *characteristics;
    size_t count;
} anechoic_service;

/* Serves these behind Generic Access, which tells the name, and Generic Attribute; call it in boot. The firmware's own
 * `connected`, `disconnected` and `encrypted` are called as well. The MTU is 23 ... 517. */
void anechoic_serve(const char *name, uint16_t mtu, anechoic_service *services, size_t count);

/* Sends a value. False, and nothing is sent, where the connection has ended, the peer has not subscribed, the value does
 * not fit into the MTU, or 16 frames wait in the controller. */
bool anechoic_notify(uint16_t connection, const anechoic_characteristic *characteristic, const void *bytes, size_t count);

/* Advertises a service, and the name to whoever asks. */
void anechoic_advertise_service(uint16_t interval, const anechoic_service *service, const char *name);

#ifdef __cplusplus
}
#endif

#endif
