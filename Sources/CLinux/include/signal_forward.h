#pragma once
#include <sys/types.h>

/// Makes a signal that reaches a thread which does not block it wait in the thread `target` instead, with everything the
/// kernel says of it. Only where the default action would be taken: handlers and ignored signals stay as they are.
/// Answers 1 when it does so now, 0 when there was a handler or the signal is ignored, or an errno negated.
int clinux_signal_forward(int number, pid_t target);

/// The code a signal came with, from the one that is read for it after it was forwarded; others are answered as they are.
int clinux_signal_code(int code);

/// Gives the signal its default action back.
void clinux_signal_forward_end(int number);

pid_t clinux_thread_id(void);
