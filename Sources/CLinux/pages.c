#define _GNU_SOURCE
#include "pages.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

void *clinux_huge_allocate(size_t size) {
    // Twice as much, of which the part that is not aligned is given back at once.
    char *memory = mmap(NULL, size * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    size_t before = -(uintptr_t)memory & (size - 1);
    if (before > 0) munmap(memory, before);
    munmap(memory + before + size, size - before);
    // Where it fails the memory is as good, only slower.
    madvise(memory + before, size, MADV_HUGEPAGE);
    return memory + before;
}

void clinux_huge_free(void *memory, size_t size) { munmap(memory, size); }

unsigned clinux_thread_number(void) {
    static atomic_uint threads;
    static _Thread_local unsigned number;
    if (number == 0) number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
    return number - 1;
}
