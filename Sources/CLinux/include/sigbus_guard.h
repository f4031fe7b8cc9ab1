// Reading mapped files that may be truncated meanwhile.
#pragma once
#include <stdint.h>

/// Gets ready to guard threads of this process, until it is released as often. The first installs a handler of SIGBUS, which
/// stays, and takes one descriptor, which the last gives back. Answers 0, or the errno of opening that.
///
/// A file that is mapped and then truncated raises SIGBUS in whoever reads the pages beyond its end. Inside a guard, and
/// only for a shared file mapping, the handler puts a page of zeros in place and the read goes on; the guard's owner
/// learns of it by the count. Every other SIGBUS has the effect that it had before.
int clinux_sigbus_acquire(void);
void clinux_sigbus_release(void);

/// Puts the handler in place again where somebody has installed another one, to which it then passes on what is not its own.
void clinux_sigbus_renew(void);

/// Opens and closes a guard on the calling thread. Guards nest.
void clinux_sigbus_enter(void);
void clinux_sigbus_leave(void);

/// How many pages were replaced on the calling thread so far.
uint64_t clinux_sigbus_faults(void);
