// Chance, all of it from one seed: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators).

#include "guest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>

static uint64_t state;

void seed_chance(uint64_t seed) { state = seed; }

uint64_t draw(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

void draw_bytes(void *bytes, size_t count) {
    for (uint8_t *next = bytes; count > 0;) {
        uint64_t word = draw();
        size_t part = count < sizeof word ? count : sizeof word;
        memcpy(next, &word, part);
        next += part;
        count -= part;
    }
}

EXPORT ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    if (!is_guest()) return raw(SYS_getrandom, bytes, count, flags);
    called(__func__);
    draw_bytes(bytes, count);
    return (ssize_t)count;
}

EXPORT int getentropy(void *bytes, size_t count) {
    if (count > 256) {
        errno = EIO;
        return -1;
    }
    return getrandom(bytes, count, 0) < 0 ? -1 : 0;
}

// These have a generator of their own inside libc, which the system seeds.

EXPORT void arc4random_buf(void *bytes, size_t count) {
    for (uint8_t *next = bytes; count > 0;) {
        ssize_t part = getrandom(next, count, 0);
        if (part < 0) abort();
        next += part;
        count -= (size_t)part;
    }
}

EXPORT uint32_t arc4random(void) {
    uint32_t word;
    arc4random_buf(&word, sizeof word);
    return word;
}

EXPORT uint32_t arc4random_uniform(uint32_t bound) {
    if (bound < 2) return 0;
    uint32_t word, least = -bound % bound;
    do word = arc4random();
    while (word < least);
    return word % bound;
}

// std::random_device::_M_getval() of libstdc++, which would ask the processor (rdrand), where nothing can be trapped.
unsigned _ZNSt13random_device9_M_getvalEv(void *device);
EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void *device) {
    (void)device;
    return arc4random();
}
