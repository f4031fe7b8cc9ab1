#define _GNU_SOURCE
#include "processors.h"

#include <sched.h>

int clinux_usable_processors(void) {
    cpu_set_t processors;
    // Refused where there are more than 1024, of which some will do.
    if (sched_getaffinity(0, sizeof processors, &processors) != 0) return 1;
    int count = CPU_COUNT(&processors);
    return count > 0 ? count : 1;
}
