#include "owned_thread.h"

static _Thread_local bool is_owned;

void clinux_thread_mark_owned(void) { is_owned = true; }

bool clinux_thread_is_owned(void) { return is_owned; }
