// Sleeping on a word of memory that threads of this process share. See futex(2).
#pragma once
#include <stdint.h>

// Sleeps while the word is `expected`, until somebody wakes it; may also return for no reason.
void clinux_futex_wait(const void *word, uint32_t expected);
// Wakes one of those that sleep on the word.
void clinux_futex_wake(const void *word);
