/* The interface of the UWB middleware that Qorvo's accessories have, on Anechoic's UWB radio: application code that was
 * written for it links against this, and plays in virtual time.
 *
 * Written anew from the interface alone. What the radio is told is an anechoic_uwb instead of the vendor's structure.
 */
#ifndef ANECHOIC_NIQ_H
#define ANECHOIC_NIQ_H

#include "anechoic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NI_ACCESSORY_PROTOCOL_SPEC_MAJOR_VERSION 1
#define NI_ACCESSORY_PROTOCOL_SPEC_MINOR_VERSION 0
#define MAX_UWB_CONFIG_SIZE 64
#define ACCESSORY_CONFIGURATION_DATA_FIX_LEN 16
#define NI_MAX_PACKET_SIZE 64

enum { E_NIQ_INPVAL = -1, E_NIQ_VERSIONNOTSUPPORTED = -2 };

/* How often the app wants measurements (Apple's accessory protocol R4 3.4.2). */
typedef enum {
    PreferredUpdateRate_Automatic = 0,
    PreferredUpdateRate_Infrequent = 10,
    PreferredUpdateRate_UserInteractive = 20
} PreferredUpdateRate;

/* The first byte of each message (R4 table 3-1). */
typedef enum {
    MessageId_accessoryConfigurationData = 0x01,
    MessageId_accessoryUwbDidStart = 0x02,
    MessageId_accessoryUwbDidStop = 0x03,
    MessageId_init = 0x0A,
    MessageId_configure_and_start = 0x0B,
    MessageId_stop = 0x0C
} MessageId;

/* Accessory Configuration Data (R4 3.4.1). Numbers are little endian, as the processor's are. */
#pragma pack(push, 1)
struct AccessoryConfigurationData {
    uint16_t majorVersion;
    uint16_t minorVersion;
    uint8_t preferredUpdateRate;
    uint8_t rfu[10];
    uint8_t uwbConfigDataLength;
    uint8_t uwbConfigData[MAX_UWB_CONFIG_SIZE];
};
#pragma pack(pop)

/* Says how the radio starts and stops, and where random bytes come from (anechoic_random_bytes); all are mandatory.
 * Call it in boot. Returns 0, or -22 (EINVAL) where one is missing. */
int niq_init(
    void (*start_uwb)(void), void (*stop_uwb)(void), void (*crypto_init)(void), void (*crypto_deinit)(void),
    void (*crypto_range_vector_generator)(uint8_t *const data, size_t count));

/* Forgets the session, once it is stopped and before the next one. */
void niq_reinit(void);

void niq_deinit(void);

/* Calls stop_uwb. */
void niq_stop_uwb(void);

/* 0 is controlee and responder, 1 controller and initiator, which it is from the start. */
void niq_set_ranging_role(uint8_t role);

/* Fills in UWBConfigData, version 1.1, with a short address that no earlier session of this run had. */
void niq_populate_accessory_uwb_config_data(void *out, uint8_t *count);

/* Takes the phone's shareable data as it came, fills in `uwb` where it is one (an anechoic_uwb), and calls start_uwb.
 * Returns 0; E_NIQ_INPVAL where the data has another length, asks for what no radio can do, or answers no configuration
 * data; E_NIQ_VERSIONNOTSUPPORTED where it has another version. */
int niq_configure_and_start_uwb(uint8_t *payload, uint8_t length, void *uwb);

#ifdef __cplusplus
}
#endif

#endif
