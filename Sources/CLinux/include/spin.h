// Waiting for another processor without giving up this one.
#pragma once

// Tells the processor that the caller looks at memory that another processor is about to write.
static inline void clinux_spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield");
#endif
}
