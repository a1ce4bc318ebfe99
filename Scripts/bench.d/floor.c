// The floor of a turn: what the kernel alone takes to pass a frame of the same size to another
// process and one back, over two pipes each, all processes on one core.
//
//   floor DEVICES sequential|batched GRANT_BYTES ANSWER_BYTES SECONDS [TRACE_FILE]
//
// sequential: write to a device, read its answer, then the next device, round robin.
// batched:    write to all devices, then read all their answers.
// TRACE_FILE: also write a line of 120 bytes a turn, through a buffer of 64 KiB.
// Prints one JSON object. taskset chooses the core.
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_DEVICES = 1024, MAX_FRAME = 4096, LINE = 120, TRACE_BUFFER = 65536 };

typedef struct {
    pid_t pid;
    int grants, answers;
} device;

static device devices[MAX_DEVICES];
static char frame[MAX_FRAME];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A frame is far below PIPE_BUF, so that it is written and read whole.
static void put(int fd, size_t size) {
    if (write(fd, frame, size) != (ssize_t)size) err(70, "write");
}

static void get(int fd, size_t size) {
    if (read(fd, frame, size) != (ssize_t)size) err(70, "read");
}

static _Noreturn void be_a_device(size_t grant, size_t answer) {
    while (read(0, frame, grant) == (ssize_t)grant) put(1, answer);
    _exit(0);
}

static void start(device *device, size_t grant, size_t answer) {
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) || pipe2(up, O_CLOEXEC)) err(70, "pipe2");
    device->pid = fork();
    if (device->pid < 0) err(70, "fork");
    if (device->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(down[0], 0);
        dup2(up[1], 1);
        be_a_device(grant, answer);
    }
    close(down[0]);
    close(up[1]);
    device->grants = down[1];
    device->answers = up[0];
}

static void trace(int file) {
    static char buffer[TRACE_BUFFER];
    static size_t used = 0;
    memset(buffer + used, 'x', LINE - 1);
    buffer[used + LINE - 1] = '\n';
    used += LINE;
    if (used + LINE <= sizeof buffer) return;
    if (write(file, buffer, used) != (ssize_t)used) err(70, "trace");
    used = 0;
}

static void take_turns(int count, int batched, size_t grant, size_t answer, int file) {
    if (batched)
        for (int i = 0; i < count; i++) put(devices[i].grants, grant);
    for (int i = 0; i < count; i++) {
        if (!batched) put(devices[i].grants, grant);
        get(devices[i].answers, answer);
        if (file >= 0) trace(file);
    }
}

int main(int argc, char **argv) {
    if (argc < 6) errx(64, "usage: floor DEVICES sequential|batched GRANT ANSWER SECONDS [TRACE]");
    int count = atoi(argv[1]), batched = strcmp(argv[2], "batched") == 0;
    size_t grant = (size_t)atoi(argv[3]), answer = (size_t)atoi(argv[4]);
    double seconds = atof(argv[5]);
    if (count < 1 || count > MAX_DEVICES || grant < 1 || grant > MAX_FRAME || answer < 1 ||
        answer > MAX_FRAME)
        errx(64, "1 to %d devices, frames of 1 to %d bytes", MAX_DEVICES, MAX_FRAME);
    int file = argc > 6 ? open(argv[6], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
    if (argc > 6 && file < 0) err(70, "%s", argv[6]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);

    for (int i = 0; i < count; i++) start(&devices[i], grant, answer);
    take_turns(count, batched, grant, answer, -1);

    // The clock is read about every 64 turns, so that reading it costs nothing that shows.
    const int rounds = count < 64 ? 64 / count : 1;
    long turns = 0;
    double began = now(), elapsed;
    do {
        for (int i = 0; i < rounds; i++) take_turns(count, batched, grant, answer, file);
        turns += (long)rounds * count;
        elapsed = now() - began;
    } while (elapsed < seconds);

    for (int i = 0; i < count; i++) kill(devices[i].pid, SIGKILL);
    while (wait(NULL) > 0) continue;
    printf("{\"turns\": %ld, \"seconds\": %.6f}\n", turns, elapsed);
    return 0;
}
