// Threads hand things to each other with time-outs; who has the turn and when is the same each time.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int queue, is_over;

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (t.tv_sec - 900) * 1000 + t.tv_nsec / 1000000;
}

static void *produce(void *name) {
    for (int i = 0; i < 3; i++) {
        usleep(10000);
        pthread_mutex_lock(&mutex);
        queue++;
        printf("%ld %s puts, there are %d\n", now(), (char *)name, queue);
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return name;
}

static void *consume(void *name) {
    pthread_mutex_lock(&mutex);
    while (!is_over) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 7000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        int late = pthread_cond_timedwait(&changed, &mutex, &until);
        printf("%ld %s %s\n", now(), (char *)name, late ? "gives up" : "wakes");
        if (queue > 0) printf("%ld %s takes one of %d\n", now(), (char *)name, queue--);
    }
    pthread_mutex_unlock(&mutex);
    pthread_barrier_wait(&barrier);
    return name;
}

static void *spin(void *name) {
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) sched_yield();
    pthread_barrier_wait(&barrier);
    return name;
}

int main(void) {
    pthread_t threads[4];
    void *name;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&threads[0], NULL, produce, "ann");
    pthread_create(&threads[1], NULL, produce, "bob");
    pthread_create(&threads[2], NULL, consume, "eve");
    pthread_create(&threads[3], NULL, spin, "sam");
    pthread_join(threads[1], &name);
    printf("%ld %s has ended\n", now(), (char *)name);
    is_over = 1;
    pthread_barrier_wait(&barrier);
    pthread_join(threads[2], &name);
    printf("%ld %s has ended\n", now(), (char *)name);
    return 0;
}
