// Waits for a moment by looking at the clock; and looks every millisecond whether something has come.
#include <poll.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)(t.tv_sec - 900) * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(void) {
    double start = now();
    for (int i = 0; i < 900; i++) now();
    printf("900 looks take %.3f ms\n", now() - start);
    while (now() < 1) {}
    printf("1 ms is over at %.3f ms\n", now());
    while (now() < 100) {}
    printf("100 ms are over at %.3f ms\n", now());
    int count = 0;
    for (start = now(); now() < start + 1000; count++) poll(NULL, 0, 1);
    printf("%d polls of a millisecond in a second\n", count);
    for (count = 0; count < 100000; count++) poll(NULL, 0, 0);
    printf("polls without a wait come to an end at %.1f ms\n", now());
    return 0;
}
