// A device that is loaded as a library: in its first turn, or where LOADING is defined before it is one, it does DEED,
// which takes its process along.
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    uint32_t version;
    void *host;
    void (*say)(void *, const uint8_t *, size_t);
    void (*log)(void *, const uint8_t *, size_t);
    void *device;
    void (*hear)(void *, const uint8_t *, size_t);
} joint;

static void say(joint *way, const void *bytes, size_t count) { way->say(way->host, bytes, count); }

static void hear(void *device, const uint8_t *frame, size_t count) {
    if (count < 5) return;
    if (frame[4] == 1) return say(device, "\1\0\0\0\x82", 5);
    if (frame[4] != 2 || count < 9) return;
#ifdef DEED
    DEED;
#endif
    uint8_t answers[9] = {5, 0, 0, 0, 0x84};
    memcpy(answers + 5, frame + 5, 4);
    say(device, answers, sizeof answers);
#ifdef TWICE
    say(device, answers, sizeof answers);
#endif
}

void anechoic_device(joint *way) {
#ifdef LOADING
    LOADING;
#endif
    way->device = way;
    way->hear = hear;
    const uint8_t hello[] = {13, 0, 0, 0, 0x81, 'A', 'N', 'C', 'H', 1, 0, 5, 0, 2, 1, 0, 'x'};
    say(way, hello, sizeof hello);
}
