// Processes made by fork(2) without exec(2).
#pragma once

extern unsigned clinux_forks;

// How many forks lie between this process and the one that was executed.
static inline unsigned clinux_fork_count(void) { return clinux_forks; }
