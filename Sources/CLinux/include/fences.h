// A full fence for two, of which one pays for both. See membarrier(2).
#pragma once

// Makes `clinux_fence_heavy` possible in this process: 0, or the error's number negated. Some milliseconds.
int clinux_fence_register(void);

// Between call and return every thread of this process has executed a full fence. Some microseconds. Only after
// `clinux_fence_register` has answered 0.
void clinux_fence_heavy(void);

// The other's part, which costs nothing: keeps the compiler from moving memory accesses across.
static inline void clinux_fence_light(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
