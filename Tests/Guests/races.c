// A race that only the order of turns decides, with threads that come and go, condition variables, stacks and memory.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static uint64_t hash = 14695981039346656037u;

static void mix(uint64_t value) { hash = (hash ^ value) * 1099511628211u; }

static void *work(void *what) {
    uintptr_t me = (uintptr_t)what;
    for (int i = 0; i < 20; i++) {
        uint16_t pause;
        if (getrandom(&pause, sizeof pause, 0) != sizeof pause) abort();
        usleep(pause % 3000);
        void *memory = malloc(pause);
        i % 3 == 0 ? pthread_rwlock_wrlock(&lock) : pthread_rwlock_rdlock(&lock);
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        mix(me ^ (uint64_t)now.tv_nsec ^ (uintptr_t)memory ^ (uintptr_t)&pause ^ (uint64_t)gettid());
        usleep(i % 3 == 0 ? 100 : 10);
        pthread_rwlock_unlock(&lock);
        free(memory);
    }
    return NULL;
}

int main(void) {
    for (uintptr_t round = 0; round < 20; round++) {
        pthread_t threads[8];
        for (uintptr_t i = 0; i < 8; i++) pthread_create(&threads[i], NULL, work, (void *)(round * 8 + i));
        for (int i = 0; i < 8; i++) i % 2 == 0 ? pthread_join(threads[i], NULL) : pthread_detach(threads[i]);
    }
    printf("%016lx\n", hash);
    return 0;
}
