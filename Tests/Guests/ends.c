// Threads that are cancelled, interrupted, called by a timer, kept waiting by another's first call, and outlive main.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void say(const char *what) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    printf("%ld %d %s\n", (t.tv_sec - 900) * 1000 + t.tv_nsec / 1000000, gettid() - getpid(), what);
}

static void clean(void *what) { say(what); }
static void handle(int number) { say(number == SIGUSR1 ? "user signal 1" : "user signal 2"); }
static void ring(union sigval value) { say(value.sival_ptr); }
static void start(void) { usleep(10000); say("starts"); }

static void *be_cancelled(void *nothing) {
    pthread_cleanup_push(clean, "is cancelled");
    sleep(1000);
    pthread_cleanup_pop(0);
    return nothing;
}

static void *be_interrupted(void *nothing) {
    say(usleep(100000) < 0 ? "slept less" : "slept");
    return nothing;
}

static void *be_started(void *nothing) {
    pthread_once(&once, start);
    say("is started");
    return nothing;
}

static void *outlive(void *nothing) {
    usleep(30000);
    say("ends the process");
    exit(3);
    return nothing;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, be_cancelled, NULL);
    usleep(5000);
    pthread_cancel(one);
    pthread_join(one, NULL);
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    pthread_create(&one, NULL, be_interrupted, NULL);
    usleep(5000);
    pthread_kill(one, SIGUSR1);
    pthread_join(one, NULL);
    kill(getpid(), SIGUSR2);
    timer_t timer;
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring, .sigev_value.sival_ptr = "rings"};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &(struct itimerspec){{0, 10000000}, {0, 15000000}}, NULL);
    usleep(40000);
    timer_delete(timer);
    pthread_create(&one, NULL, be_started, NULL);
    pthread_create(&two, NULL, be_started, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_create(&one, NULL, outlive, NULL);
    pthread_detach(one);
    pthread_exit(NULL);
}
