// The threads that the package starts.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Marks the calling thread as one that the package has started.
void clinux_thread_mark_owned(void);

// Whether the calling thread is one that the package has started.
bool clinux_thread_is_owned(void);

// Names the calling thread as ps and debuggers show it; the kernel keeps the first 15 bytes.
void clinux_thread_set_name(const char *name);

// What the calling thread may still deliver for other threads, in its outermost call that delivers; and for whom it asks to be
// called back.
struct clinux_delivery_share {
    // The calls that are under way, one inside the other.
    int32_t depth;
    int32_t events;
    // In nanoseconds of CLOCK_MONOTONIC; 0 before the first event.
    int64_t deadline;
    // The waiter whose request to be called back is being made, or NULL.
    void *_Nullable asking;
};

// The calling thread's; it lasts as long as the thread.
struct clinux_delivery_share *clinux_this_delivery_share(void);

#pragma clang assume_nonnull end
