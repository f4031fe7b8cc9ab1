// Memory in huge pages, and a number for each thread.
#pragma once
#include <stddef.h>

// `size` bytes of zeros that begin at a multiple of `size`, a power of two of at least 2 MiB, in huge pages where the system
// has them; NULL when it has no memory. Given back with `clinux_huge_free` and the same size.
void *clinux_huge_allocate(size_t size);
void clinux_huge_free(void *memory, size_t size);

// 0 for the first thread that asks, 1 for the second, and so on; a thread keeps its number.
unsigned clinux_thread_number(void);
