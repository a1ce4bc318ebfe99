// Looks at clocks and waits past libc: by an instruction, by the system's own page, by the processor's counter.
#define _GNU_SOURCE
#include <elf.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long call(long number, long a, long b, long c, long d) {
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return number;
}

static unsigned long counter(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long)high << 32 | low;
}

static void *vdso(const char *name) {
    char *start = (char *)getauxval(AT_SYSINFO_EHDR);
    Elf64_Ehdr *head = (Elf64_Ehdr *)start;
    Elf64_Shdr *sections = (Elf64_Shdr *)(start + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_DYNSYM) continue;
        Elf64_Sym *symbols = (Elf64_Sym *)(start + sections[i].sh_offset);
        const char *names = start + sections[sections[i].sh_link].sh_offset;
        for (unsigned long j = 0; j < sections[i].sh_size / sizeof *symbols; j++)
            if (strcmp(names + symbols[j].st_name, name) == 0) return start + symbols[j].st_value;
    }
    return NULL;
}

static void fault(int number) {
    printf("signal %d is the program's\n", number);
    fflush(stdout);
    _exit(0);
}

static void *work(void *nothing) {
    struct timespec t = {.tv_nsec = 5000000};
    call(SYS_nanosleep, (long)&t, 0, 0, 0);
    call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0);
    printf("in a thread %ld.%03ld, pid is %s\n", t.tv_sec - 900, t.tv_nsec / 1000000,
           call(SYS_getpid, 0, 0, 0, 0) == getpid() ? "true" : "false");
    return nothing;
}

int main(void) {
    struct timespec t = {.tv_nsec = 10000000};
    call(SYS_nanosleep, (long)&t, 0, 0, 0);
    call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0);
    printf("instruction %ld.%03ld\n", t.tv_sec - 900, t.tv_nsec / 1000000);
    int (*gettime)(int, struct timespec *) = vdso("__vdso_clock_gettime");
    gettime(CLOCK_MONOTONIC, &t);
    printf("page %ld.%03ld\n", t.tv_sec - 900, t.tv_nsec / 1000000);
    unsigned long before = counter();
    usleep(3);
    printf("counter %lu\n", counter() - before);
    unsigned long word = 0;
    call(SYS_getrandom, (long)&word, 8, 0, 0);
    printf("chance %016lx\n", word);
    printf("fork %ld\n", call(SYS_fork, 0, 0, 0, 0));
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    t = (struct timespec){.tv_nsec = 1000000};
    printf("with all signals blocked %ld\n", call(SYS_nanosleep, (long)&t, 0, 0, 0));
    signal(SIGSEGV, fault);
    *(volatile int *)8 = 1;
    return 1;
}
