// Draws from each source of chance.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void print(const char *name, const void *bytes) { printf("%s %016lx\n", name, *(const uint64_t *)bytes); }

int main(void) {
    uint64_t word;
    if (getrandom(&word, 8, 0) == 8) print("getrandom", &word);
    if (getentropy(&word, 8) == 0) print("getentropy", &word);
    if (syscall(SYS_getrandom, &word, 8, 0) == 8) print("syscall", &word);
    int file = open("/dev/urandom", O_RDONLY);
    if (read(file, &word, 8) == 8) print("/dev/urandom", &word);
    FILE *stream = fopen("/dev/random", "r");
    if (fread(&word, 8, 1, stream) == 1) print("/dev/random", &word);
    print("AT_RANDOM", (void *)getauxval(AT_RANDOM));
    srand((unsigned)time(NULL));
    word = (uint64_t)rand();
    print("rand", &word);
    word = (uint64_t)(uintptr_t)malloc(100) ^ (uintptr_t)&word;
    print("addresses", &word);
    return 0;
}
