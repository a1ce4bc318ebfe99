// The calls of a turn: a hash for the door, which finds by it where two runs part, and the last of them by name.

#include "guest.h"

enum { KEPT = 64 };

static struct {
    const char *name;
    uint64_t time;
} kept[KEPT];
static uint64_t count;

void called(const char *name) {
    // FNV-1a
    for (const char *byte = name; *byte != 0; byte++) guest.calls = (guest.calls ^ (uint8_t)*byte) * 16777619;
    kept[count % KEPT].name = name;
    kept[count++ % KEPT].time = guest.now;
}

void forget_calls(void) {
    count = 0;
    guest.calls = 2166136261;
}

void tell_calls(void) {
    uint64_t first = count > KEPT ? count - KEPT : 0;
    if (first > 0) note("%llu calls before these", (unsigned long long)first);
    for (uint64_t i = first; i < count; i++)
        note("at %llu ns: %s", (unsigned long long)kept[i % KEPT].time, kept[i % KEPT].name);
}
