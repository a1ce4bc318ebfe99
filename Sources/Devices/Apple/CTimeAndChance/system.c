#define _GNU_SOURCE
#include "CDevice.h"
#include "system.h"

#include <dlfcn.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)

long system_call(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}

#elif defined(__aarch64__)

long system_call(long number, long a, long b, long c, long d, long e, long f) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    if (x0 >= 0 || x0 < -4095) return x0;
    errno = (int)-x0;
    return -1;
}

#else
#error "this processor's way to ask the kernel is not known here"
#endif

void system_refuse(const char *what, const char *instead) {
    fprintf(stderr, "%s: a turn of a simulated device takes no time and has no other thread; %s\n", what, instead);
    abort();
}

// In a program that is linked statically nobody looks for names, and nothing but a device is such a program.
#pragma weak dlsym

typedef int create(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *), void *restrict);

// Two threads would make two runs differ. Whoever starts one in a device is told so at once; the tests of an app are
// linked with the app, and may.
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument) {
    if (!cdevice_has_source() && dlsym != NULL) {
        create *real = (create *)dlsym(RTLD_NEXT, "pthread_create");
        if (real != NULL) return real(thread, attributes, start, argument);
    }
    system_refuse("a new thread",
                  "OperationQueue, Thread, URLSession and the system's own Dispatch start one; use DispatchQueue, "
                  "Timer or Task, and a stand-in for the network");
}
