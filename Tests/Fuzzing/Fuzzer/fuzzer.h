// The two functions that libFuzzer calls; libFuzzer brings `main`. They hand its inputs to the target
// that the environment names. This is C because the build renames the main function of a program in
// Swift, and libFuzzer has its own.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Tests/Fuzzing/FuzzRuns/AllTargets.swift or Tests/Fuzzing/FuzzBytes/Entry.swift
void *FUZZ_OPEN(const char *name);
void anechoic_fuzz_play(void *player, const uint8_t *bytes, size_t count);

static void *player;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    const char *name = getenv("ANECHOIC_FUZZ_TARGET");
    player = FUZZ_OPEN(name ? name : "");
    if (player) return 0;
    fputs("fuzzer: ANECHOIC_FUZZ_TARGET names no target of this program\n", stderr);
    exit(64);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    anechoic_fuzz_play(player, bytes, count);
    return 0;
}
