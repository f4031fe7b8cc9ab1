// Taking signals away from whoever has them, and giving them back. Bit n-1 of a set stands for signal n.
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// Makes a signal that reaches a thread which does not block it wait in the thread `reader` instead, with everything the
/// kernel says of it; what was to happen to it before is kept until it is given back. Answers 0, or an errno negated.
/// Not to be called for one signal by two threads at once.
int clinux_signal_take(int number, pid_t reader);

/// Has happen to the signal again what would have before it was taken, unless somebody took it after us.
void clinux_signal_give_back(int number);

/// The code a signal came with, from the one that is read for it after it was handed on; others are answered as they are.
int clinux_signal_code(int code);

/// How many real-time signals could not be handed on since this was last asked, for the kernel had no room.
uint32_t clinux_signal_lost(int number);

pid_t clinux_thread_id(void);
