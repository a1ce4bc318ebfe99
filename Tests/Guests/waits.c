// Sleeps in each way that there is, a moment of its own each, and prints when it woke.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static struct timespec now(clockid_t clock) { struct timespec t; clock_gettime(clock, &t); return t; }
static struct timespec later(clockid_t clock, int ms) {
    struct timespec t = now(clock);
    long n = t.tv_nsec + ms * 1000000L;
    return (struct timespec){t.tv_sec + n / 1000000000, n % 1000000000};
}
static void say(const char *name) {
    static long last = 900000;
    struct timespec t = now(CLOCK_MONOTONIC);
    long ms = t.tv_sec * 1000 + t.tv_nsec / 1000000;
    printf("%s %ld\n", name, ms - last);
    last = ms;
}
static void nothing(int number) { (void)number; }
#define MS(n) (&(struct timespec){0, (n) * 1000000L})

int main(void) {
    nanosleep(MS(1), NULL); say("nanosleep");
    usleep(2000); say("usleep");
    sleep(3); say("sleep");
    clock_nanosleep(CLOCK_MONOTONIC, 0, MS(4), NULL); say("clock_nanosleep");
    struct timespec t = later(CLOCK_REALTIME, 5);
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL); say("clock_nanosleep, absolute");
    thrd_sleep(MS(6), NULL); say("thrd_sleep");
    poll(NULL, 0, 7); say("poll");
    ppoll(NULL, 0, MS(8), NULL); say("ppoll");
    select(0, NULL, NULL, NULL, &(struct timeval){0, 9000}); say("select");
    pselect(0, NULL, NULL, NULL, MS(10), NULL); say("pselect");
    struct epoll_event event;
    int epoll = epoll_create1(0);
    epoll_wait(epoll, &event, 1, 11); say("epoll_wait");
    epoll_pwait2(epoll, &event, 1, MS(12), NULL); say("epoll_pwait2");
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value = *MS(13)}, NULL);
    epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &(struct epoll_event){.events = EPOLLIN});
    epoll_wait(epoll, &event, 1, -1); say("timerfd in epoll");
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value = *MS(14)}, NULL);
    unsigned long count;
    if (read(timer, &count, 8) == 8) say("timerfd, read");
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    t = later(CLOCK_REALTIME, 15); sem_timedwait(&semaphore, &t); say("sem_timedwait");
    t = later(CLOCK_MONOTONIC, 16); sem_clockwait(&semaphore, CLOCK_MONOTONIC, &t); say("sem_clockwait");
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    t = later(CLOCK_REALTIME, 17); pthread_cond_timedwait(&condition, &mutex, &t); say("pthread_cond_timedwait");
    t = later(CLOCK_MONOTONIC, 18);
    pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &t); say("pthread_cond_clockwait");
    t = later(CLOCK_REALTIME, 19); pthread_mutex_timedlock(&mutex, &t); say("pthread_mutex_timedlock");
    signal(SIGALRM, nothing);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 20000}}, NULL); pause(); say("setitimer, pause");
    timer_t posix;
    timer_create(CLOCK_MONOTONIC, NULL, &posix);
    timer_settime(posix, 0, &(struct itimerspec){.it_value = *MS(21)}, NULL); sleep(1); say("timer_create, sleep");
    sigset_t set;
    sigemptyset(&set); sigaddset(&set, SIGALRM); sigprocmask(SIG_BLOCK, &set, NULL);
    sigtimedwait(&set, NULL, MS(22)); say("sigtimedwait");
    alarm(1); sigwait(&set, &(int){0}); say("alarm, sigwait");
    int pair[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 23000}, sizeof(struct timeval));
    recv(pair[0], &t, 1, 0); say("recv, SO_RCVTIMEO");
    syscall(SYS_nanosleep, MS(24), NULL); say("syscall nanosleep");
    int word = 0;
    syscall(SYS_futex, &word, 0, 0, MS(25), NULL, 0); say("syscall futex");
    t = later(CLOCK_MONOTONIC, 26); syscall(SYS_futex, &word, 9, 0, &t, NULL, -1); say("syscall futex, bits");
    return 0;
}
