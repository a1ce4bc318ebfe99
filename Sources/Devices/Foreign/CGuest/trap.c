// What passes libc by: system calls that a program makes itself, the clock that the system keeps in the program's own
// memory (the vDSO), and the processor's counter (rdtsc). The first come to us as SIGSYS (syscall user dispatch), the
// last as SIGSEGV; the clock is written over. ANECHOIC_GUEST_TRAP=0 leaves all of them be.

#include "guest.h"

#include <linux/prctl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static bool are_set;
// What the program would have done at SIGSEGV, and at SIGSYS.
static struct sigaction wanted_at_fault, wanted_at_call;

#ifdef __x86_64__

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>

// MARK: System calls
// Those from libc's text are libc's own, or ours by way of its function `syscall`; we stand before the functions that
// make them. From anywhere else they are the program's.

static uintptr_t libc_start, libc_size;

static int find_libc(struct dl_phdr_info *object, size_t size, void *function) {
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
        if ((uintptr_t)function - start >= segment->p_memsz) continue;
        libc_start = start;
        libc_size = segment->p_memsz;
        return 1;
    }
    return 0;
}

// What the program does at a signal that is none of ours, as if we were not there.
//
// Where it has no handler the signal ends it: a fault comes again by itself, one that somebody sent has to be sent again.
static void pass_on(int number, siginfo_t *info, void *what, struct sigaction *wanted) {
    bool comes_again = number == SIGSEGV && info->si_code > 0;
    struct sigaction action = *wanted;
    if (action.sa_handler == SIG_IGN && !comes_again) return;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
        REAL(sigaction)(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        if (!comes_again) raw(SYS_tgkill, raw(SYS_getpid), raw(SYS_gettid), number);
        return;
    }
    if ((action.sa_flags & (int)SA_RESETHAND) != 0) wanted->sa_handler = SIG_DFL;
    if ((action.sa_flags & SA_SIGINFO) != 0) action.sa_sigaction(number, info, what);
    else action.sa_handler(number);
}

static void answer_call(int number, siginfo_t *info, void *what) {
    greg_t *registers = ((ucontext_t *)what)->uc_mcontext.gregs;
    // A SIGSYS that somebody sent, or a filter of the program's own.
    if (info->si_code != 2 /* SYS_USER_DISPATCH */) return pass_on(number, info, what, &wanted_at_call);
    const long a[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                       registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
    int kept = errno;
    bool is_known;
    long result = emulate(info->si_syscall, a, &is_known);
    if (!is_known) {
        result = raw(info->si_syscall, a[0], a[1], a[2], a[3], a[4], a[5]);
        if (result == -1) result = -errno;
    }
    registers[REG_RAX] = result;
    errno = kept;
}

void trap_thread(void) {
    if (are_set) raw(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, libc_start, libc_size, NULL);
}

// MARK: The processor's counter

enum { GIGAHERTZ = 1 };

void allow_clock(bool is_allowed) {
    if (are_set) raw(SYS_prctl, PR_SET_TSC, is_allowed ? PR_TSC_ENABLE : PR_TSC_SIGSEGV);
}

// Whether the fault was a reading of the counter, which it has then had.
static bool answer_counter(siginfo_t *info, greg_t *registers) {
    static const uint8_t rdtsc[] = {0x0F, 0x31}, rdtscp[] = {0x0F, 0x01, 0xF9};
    if (info->si_code != SI_KERNEL) return false;
    const void *place = (const void *)registers[REG_RIP];
    bool has_processor = memcmp(place, rdtscp, sizeof rdtscp) == 0;
    if (!has_processor && memcmp(place, rdtsc, sizeof rdtsc) != 0) return false;
    looked();
    uint64_t count = clock_shows(CLOCK_MONOTONIC) * GIGAHERTZ;
    registers[REG_RAX] = (greg_t)(count & UINT32_MAX);
    registers[REG_RDX] = (greg_t)(count >> 32);
    if (has_processor) registers[REG_RCX] = 0;
    registers[REG_RIP] += has_processor ? sizeof rdtscp : sizeof rdtsc;
    return true;
}

static void answer_fault(int number, siginfo_t *info, void *what) {
    int kept = errno;
    if (answer_counter(info, ((ucontext_t *)what)->uc_mcontext.gregs)) {
        errno = kept;
        return;
    }
    pass_on(number, info, what, &wanted_at_fault);
}

// MARK: The system's clock in our memory

static long vdso_gettime(clockid_t clock, struct timespec *time) { return clock_gettime(clock, time) < 0 ? -errno : 0; }
static long vdso_timeofday(struct timeval *day, void *zone) {
    if (day != NULL) gettimeofday(day, zone);
    return 0;
}

static void *answer_of(const char *name) {
    if (strcmp(name, "__vdso_clock_gettime") == 0) return (void *)vdso_gettime;
    if (strcmp(name, "__vdso_gettimeofday") == 0) return (void *)vdso_timeofday;
    if (strcmp(name, "__vdso_time") == 0) return (void *)time;
    return NULL;
}

// mov rax, function; jmp rax
static void jump_from(uint8_t *place, void *function) {
    static const uint8_t load[] = {0x48, 0xB8}, jump[] = {0xFF, 0xE0};
    memcpy(place, load, sizeof load);
    memcpy(place + 2, &function, sizeof function);
    memcpy(place + 10, jump, sizeof jump);
}

static void replace_vdso(void) {
    uintptr_t start = getauxval(AT_SYSINFO_EHDR);
    if (start == 0) return;
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)start;
    const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(start + head->e_phoff);
    const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(start + head->e_shoff);
    size_t size = segments[0].p_memsz;
    if (raw(SYS_mprotect, start, size, PROT_READ | PROT_WRITE | PROT_EXEC) < 0) return;
    for (int i = 0; i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_DYNSYM) continue;
        const ElfW(Sym) *symbols = (const ElfW(Sym) *)(start + sections[i].sh_offset);
        const char *names = (const char *)(start + sections[sections[i].sh_link].sh_offset);
        for (size_t j = 0; j < sections[i].sh_size / sizeof *symbols; j++) {
            void *answer = answer_of(names + symbols[j].st_name);
            if (answer != NULL) jump_from((uint8_t *)(start + symbols[j].st_value), answer);
        }
    }
    raw(SYS_mprotect, start, size, PROT_READ | PROT_EXEC);
}

// MARK: All of it

static void handle(int number, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
    REAL(sigaction)(number, &action, NULL);
}

void set_traps(void) {
    const char *choice = getenv("ANECHOIC_GUEST_TRAP");
    if (choice != NULL && strcmp(choice, "0") == 0) return;
    REAL(sigaction)(SIGSEGV, NULL, &wanted_at_fault);
    REAL(sigaction)(SIGSYS, NULL, &wanted_at_call);
    dl_iterate_phdr(find_libc, (void *)real_syscall());
    if (libc_start == 0) return;
    are_set = true;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSYS);
    sigaddset(&set, SIGSEGV);
    REAL(pthread_sigmask)(SIG_UNBLOCK, &set, NULL);
    handle(SIGSYS, answer_call);
    handle(SIGSEGV, answer_fault);
    replace_vdso();
    allow_clock(false);
    trap_thread();
}

#else  // Other processors have neither such a trap for calls nor one for a counter.

void set_traps(void) {}
void trap_thread(void) {}
void allow_clock(bool is_allowed) { (void)is_allowed; }

#endif

// MARK: Handlers of the program's
// Ours stay; what it wants is done by them.

static int change_action(int number, const struct sigaction *action, struct sigaction *old) {
    if (!are_set || (number != SIGSEGV && number != SIGSYS)) return REAL(sigaction)(number, action, old);
    struct sigaction *kept = number == SIGSEGV ? &wanted_at_fault : &wanted_at_call, before = *kept;
    if (action != NULL) *kept = *action;
    if (old != NULL) *old = before;
    return 0;
}

EXPORT int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old) {
    return change_action(number, action, old);
}

static sighandler_t change_handler(int number, sighandler_t handler, int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    return sigaction(number, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

EXPORT sighandler_t signal(int number, sighandler_t handler) { return change_handler(number, handler, SA_RESTART); }
EXPORT sighandler_t bsd_signal(int number, sighandler_t handler) { return change_handler(number, handler, SA_RESTART); }
EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) {
    return change_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}
sighandler_t __sysv_signal(int number, sighandler_t handler);
EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) { return sysv_signal(number, handler); }
