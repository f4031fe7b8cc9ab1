#define _GNU_SOURCE
#include "fences.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_granted;

static int membarrier(int command) { return (int)syscall(__NR_membarrier, command, 0, 0); }

__attribute__((constructor)) static void ask(void) {
    is_granted = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

int clinux_fence_is_granted(void) { return is_granted; }

// Granted once, it cannot fail.
void clinux_fence_heavy(void) { membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }
