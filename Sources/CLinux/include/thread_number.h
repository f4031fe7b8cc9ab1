// A number for each thread.
#pragma once

// 0 for the first thread that asks, 1 for the second, and so on; a thread keeps its number.
unsigned clinux_thread_number(void);
