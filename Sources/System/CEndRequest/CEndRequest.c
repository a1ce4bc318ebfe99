#include "CEndRequest.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/// What a shell says of a program that Ctrl-C has ended.
static const int interrupted = 130;

static volatile sig_atomic_t notes = 0;
static volatile sig_atomic_t noted = 0;
static volatile sig_atomic_t time_is_up = 0;
static int descriptor = -1;
static struct timespec first;

static int is_over_a_second_later(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t seconds = now.tv_sec - first.tv_sec;
    return seconds > 1 || (seconds == 1 && now.tv_nsec >= first.tv_nsec);
}

static void note(void) {
    int before = errno;
    clock_gettime(CLOCK_MONOTONIC, &first);
    noted = 1;
    uint64_t one = 1;
    ssize_t count = write(descriptor, &one, sizeof one);
    (void)count;
    errno = before;
}

static void handle(int number) {
    (void)number;
    // Whoever asks behind the end of the time asks for the first time.
    if (!notes || (noted && !time_is_up && is_over_a_second_later())) _exit(interrupted);
    if (!noted) note();
}

static void handle_alarm(int number) {
    (void)number;
    if (noted) return;
    time_is_up = 1;
    note();
}

int cendrequest_listen(void) {
    if (descriptor >= 0) return 0;
    descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0) return -errno;
    // No SA_RESTART: who waits for input notices.
    struct sigaction action = {.sa_handler = handle}, before;
    sigfillset(&action.sa_mask);
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        if (sigaction(numbers[i], NULL, &before) != 0) return -errno;
        if (numbers[i] == SIGHUP && before.sa_handler == SIG_IGN) continue;
        if (sigaction(numbers[i], &action, NULL) != 0) return -errno;
    }
    return 0;
}

void cendrequest_begin_noting(void) { notes = 1; }

int cendrequest_limit(double seconds) {
    if (descriptor < 0) return -EINVAL;
    struct sigaction action = {.sa_handler = handle_alarm};
    sigfillset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) != 0) return -errno;
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    return setitimer(ITIMER_REAL, &timer, NULL) == 0 ? 0 : -errno;
}

int cendrequest_time_is_up(void) { return time_is_up; }

int cendrequest_is_noted(void) { return noted; }

int cendrequest_descriptor(void) { return descriptor; }
