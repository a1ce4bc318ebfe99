#include "CDevice.h"

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>

static _Thread_local void *current = NULL;

void *cdevice_current(void) { return current; }

void cdevice_set_current(void *device) { current = device; }

int cdevice_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }
