#include "niq.h"
#include "internal.h"

#include <errno.h>
#include <string.h>

enum { SHAREABLE_LENGTH = 30, CONFIG_LENGTH = 21 };
/* Odd, so that steps of it meet each short address once. */
enum { ADDRESS_STEP = 40503 };

static const char key[] = "niq/address";

static void (*start)(void), (*stop)(void), (*end_crypto)(void);
static void (*draw)(uint8_t *const data, size_t count);
static uint8_t ranging_role;
static bool is_populated;
static bool has_address;
static uint16_t address;

int niq_init(
    void (*start_uwb)(void), void (*stop_uwb)(void), void (*crypto_init)(void), void (*crypto_deinit)(void),
    void (*crypto_range_vector_generator)(uint8_t *const data, size_t count)) {
    if (!start_uwb || !stop_uwb || !crypto_init || !crypto_deinit || !crypto_range_vector_generator) return -EINVAL;
    start = start_uwb;
    stop = stop_uwb;
    end_crypto = crypto_deinit;
    draw = crypto_range_vector_generator;
    ranging_role = 1;
    has_address = false;
    crypto_init();
    niq_reinit();
    return 0;
}

void niq_reinit(void) { is_populated = false; }

void niq_deinit(void) {
    niq_reinit();
    if (end_crypto) end_crypto();
}

void niq_stop_uwb(void) {
    if (stop) stop();
}

void niq_set_ranging_role(uint8_t role) { ranging_role = role; }

/* Another short address than all before, also those of earlier incarnations. */
static void next_address(void) {
    uint8_t bytes[2];
    size_t count;
    const uint8_t *last = anechoic_stored(key, &count);
    if (has_address) {
        address += (uint16_t)ADDRESS_STEP;
    } else if (last && count == sizeof bytes) {
        address = (uint16_t)(anechoic_get16(last) + ADDRESS_STEP);
    } else {
        draw(bytes, sizeof bytes);
        address = anechoic_get16(bytes);
    }
    has_address = true;
    anechoic_put16(bytes, address);
    anechoic_store(key, bytes, sizeof bytes);
}

void niq_populate_accessory_uwb_config_data(void *out, uint8_t *count) {
    /* Version 1.1, manufacturer, chipset and middleware as Qorvo's firmware has them; a clock of 25 ppm. */
    uint8_t data[CONFIG_LENGTH] = {1, 0, 1, 0, 0x3F, 0xF5, 0x03, 0, 0xB8, 0x0B, 0, 0, 0, 0, 1, 1, 0, 0, 0, 25, 0};
    next_address();
    data[16] = ranging_role;
    anechoic_put16(data + 17, address);
    memcpy(out, data, sizeof data);
    *count = sizeof data;
    is_populated = true;
}

int niq_configure_and_start_uwb(uint8_t *payload, uint8_t length, void *uwb) {
    if (!is_populated || length != SHAREABLE_LENGTH) return E_NIQ_INPVAL;
    if (anechoic_get16(payload) != 1 || anechoic_get16(payload + 2) != 1) return E_NIQ_VERSIONNOTSUPPORTED;
    if (payload[4] != SHAREABLE_LENGTH - 5) return E_NIQ_INPVAL;
    anechoic_uwb selected = {
        .session_id = anechoic_get32(payload + 7),
        .address = address,
        .peer = anechoic_get16(payload + 26),
        .channel = payload[12],
        .preamble = payload[11],
        .slots_per_round = anechoic_get16(payload + 13),
        .slot_duration = anechoic_get16(payload + 15),
        .interval = anechoic_get16(payload + 17),
        .is_initiator = ranging_role == 1,
    };
    memcpy(selected.sts_iv, payload + 20, sizeof selected.sts_iv);
    if (!anechoic_can_range(&selected)) return E_NIQ_INPVAL;
    if (uwb) *(anechoic_uwb *)uwb = selected;
    start();
    return 0;
}
