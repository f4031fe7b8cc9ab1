#define _GNU_SOURCE
#include "fences.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static int membarrier(int command) { return (int)syscall(__NR_membarrier, command, 0, 0); }

int clinux_fence_register(void) {
    return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0 ? 0 : -errno;
}

// Registered, it cannot fail.
void clinux_fence_heavy(void) { membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }
