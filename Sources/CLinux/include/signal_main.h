// The main thread, where Dispatch has parked it for good with no signal blocked.
#pragma once
#include <signal.h>
#include <stdint.h>

/// The number of the system call in which Dispatch puts the main thread to sleep.
long clinux_sigsuspend_call(void);

/// Has the main thread block the set, now if it is held, else as soon as it is. With an empty set it is let go of: it
/// waits as Dispatch left it.
void clinux_main_block(uint64_t set);

/// Holds the main thread, which waits in sigsuspend with nothing blocked. `number` is a signal that was taken. Answers
/// whether it is held now; it is not where it turns out that it was not Dispatch that made it wait.
int clinux_main_hold(int number);

int clinux_main_is_held(void);

// For the handler: what may be done about the thread that was interrupted.
int clinux_main_handle(siginfo_t *info, void *context);
void clinux_main_stay(void *context);
