// A full fence for two, of which one pays for both. See membarrier(2).
#pragma once

// Whether the kernel grants the heavy fence. The process asks for it before `main`, when there is one thread and asking
// takes a microsecond; with more it takes ten milliseconds and more.
int clinux_fence_is_granted(void);

// Between call and return every thread of this process has executed a full fence. Some microseconds.
void clinux_fence_heavy(void);

// The other's part, which costs nothing: keeps the compiler from moving memory accesses across.
static inline void clinux_fence_light(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
