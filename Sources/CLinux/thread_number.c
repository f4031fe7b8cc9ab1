#include "thread_number.h"

#include <stdatomic.h>

unsigned clinux_thread_number(void) {
    static atomic_uint threads;
    static _Thread_local unsigned number;
    if (number == 0) number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
    return number - 1;
}
