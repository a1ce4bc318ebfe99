// The calls of a turn: a hash for the door, which finds by it where two runs part, and the last of them by name.

#include "guest.h"

#include <stdio.h>
#include <string.h>

enum { KEPT = 64 };

static const char *kept[KEPT];
static uint64_t count;

void called(const char *name) {
    // FNV-1a
    for (const char *byte = name; *byte != 0; byte++) guest.calls = (guest.calls ^ (uint8_t)*byte) * 16777619;
    kept[count++ % KEPT] = name;
}

void forget_calls(void) {
    count = 0;
    guest.calls = 2166136261;
}

// `clock_gettime x3, poll`, behind how many came before those that are kept.
void tell_calls(void) {
    char text[900] = "";
    size_t length = 0;
    uint64_t i = count > KEPT ? count - KEPT : 0;
    if (i > 0) length += (size_t)snprintf(text, sizeof text, "%llu others, ", (unsigned long long)i);
    while (i < count && length < sizeof text) {
        const char *name = kept[i % KEPT];
        unsigned times = 0;
        for (; i < count && strcmp(kept[i % KEPT], name) == 0; i++) times++;
        const char *behind = i < count ? ", " : "";
        char *end = text + length;
        size_t room = sizeof text - length;
        length += (size_t)(times > 1 ? snprintf(end, room, "%s x%u%s", name, times, behind)
                                     : snprintf(end, room, "%s%s", name, behind));
    }
    tell(text);
}
