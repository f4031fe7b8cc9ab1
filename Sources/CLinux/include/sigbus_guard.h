#pragma once
#include <stdint.h>

/// Installs the process-wide SIGBUS handler, once. Answers 0 or an errno.
///
/// A file that is mapped and then truncated raises SIGBUS in whoever reads the pages beyond its end. Inside a guard, and
/// only for a shared file mapping, the handler puts a page of zeros in place and the read goes on; the guard's owner
/// learns of it by the count. Every other SIGBUS goes to the handler that was there before.
int sigbus_guard_install(void);

/// Opens and closes a guard on the calling thread. Guards nest.
void sigbus_guard_enter(void);
void sigbus_guard_leave(void);

/// How many pages were replaced on the calling thread so far.
uint64_t sigbus_guard_faults(void);
