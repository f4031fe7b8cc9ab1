// Which threads the package has started.
#pragma once
#include <stdbool.h>

// Marks the calling thread as one that the package has started.
void clinux_thread_mark_owned(void);
// Whether the calling thread is one.
bool clinux_thread_is_owned(void);
