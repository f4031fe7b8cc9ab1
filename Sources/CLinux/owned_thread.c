#include "owned_thread.h"
#include <sys/prctl.h>

static _Thread_local bool is_owned;

void clinux_thread_mark_owned(void) { is_owned = true; }

bool clinux_thread_is_owned(void) { return is_owned; }

// https://man7.org/linux/man-pages/man2/PR_SET_NAME.2const.html: it fails only where the text cannot be read.
void clinux_thread_set_name(const char *name) { (void)prctl(PR_SET_NAME, name); }

static _Thread_local struct clinux_delivery_share delivery_share;

struct clinux_delivery_share *clinux_this_delivery_share(void) { return &delivery_share; }
