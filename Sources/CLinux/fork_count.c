#include "fork_count.h"
#include <pthread.h>

// Written only by a child before fork returns, when it has one thread.
unsigned clinux_forks;

static void count(void) { clinux_forks++; }

// If it cannot be registered, a child is not recognised, and all else works.
__attribute__((constructor)) static void watch(void) { (void)pthread_atfork(NULL, NULL, count); }
