// The threads that the package starts.
#pragma once
#include <stdbool.h>

// Marks the calling thread as one that the package has started.
void clinux_thread_mark_owned(void);

// Whether the calling thread is one that the package has started.
bool clinux_thread_is_owned(void);

// Names the calling thread as ps and debuggers show it; the kernel keeps the first 15 bytes.
void clinux_thread_set_name(const char *name);
