/* What the files of this library know of one another. */
#ifndef ANECHOIC_INTERNAL_H
#define ANECHOIC_INTERNAL_H

#include "anechoic.h"

enum {
    EVENT_BOOT = 0x01, EVENT_TIMER = 0x02, EVENT_QUEUE = 0x03, EVENT_COMMAND = 0x04, EVENT_CONNECTED = 0x11,
    EVENT_DISCONNECTED = 0x12, EVENT_ACL = 0x13, EVENT_COMPLETED = 0x14, EVENT_KEY_WANTED = 0x15, EVENT_ENCRYPTED = 0x16,
    EVENT_UWB_STARTED = 0x30, EVENT_UWB_ROUND = 0x31
};

/* Little-endian numbers, forwards. */
static inline uint16_t anechoic_get16(const uint8_t *at) { return (uint16_t)(at[0] | at[1] << 8); }
static inline uint32_t anechoic_get32(const uint8_t *at) {
    return anechoic_get16(at) | (uint32_t)anechoic_get16(at + 2) << 16;
}
static inline uint64_t anechoic_get64(const uint8_t *at) {
    return anechoic_get32(at) | (uint64_t)anechoic_get32(at + 4) << 32;
}
static inline void anechoic_put16(uint8_t *at, uint16_t value) {
    at[0] = (uint8_t)(value & 0xFF);
    at[1] = (uint8_t)(value >> 8);
}
static inline void anechoic_put32(uint8_t *at, uint32_t value) {
    anechoic_put16(at, (uint16_t)(value & 0xFFFF));
    anechoic_put16(at + 2, (uint16_t)(value >> 16));
}

/* Ends the program: the firmware has asked for what cannot be. */
_Noreturn void anechoic_fail(const char *format, ...) ANECHOIC_PRINTF;

/* Under which the bond with a peer is stored. */
enum { BOND_NAME = 23 };
void anechoic_bond_name(char name[BOND_NAME], const anechoic_address *peer);

/* The GATT server's part of an event; NULL where there is no server. */
extern void (*anechoic_gatt_event)(uint8_t type, const uint8_t *bytes, size_t count);

#endif
