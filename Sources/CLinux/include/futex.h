// Sleeping on a word of memory that threads of this process share. See futex(2).
#pragma once
#include <stdint.h>

// Sleeps while the word is `expected`, until somebody wakes it; may also return for no reason.
void clinux_futex_wait(const void *word, uint32_t expected);
// Wakes one of those that sleep on the word.
void clinux_futex_wake(const void *word);

// Tells the processor that the caller looks at a word again and again.
static inline void clinux_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}
