#pragma once
#include <stdint.h>

// systemd's message catalogue. libsystemd is loaded at the first call, because loading it and the libraries that it needs at
// each start would delay programs that never ask for a text. Both functions may be called from any thread.

// The text for a message id of 16 bytes, in the language of LC_MESSAGES. Returns 0 and a text for free(3), or a negative error
// number: -ELIBACC if libsystemd cannot be loaded.
int ccatalog_text(const uint8_t *id, char **text);

// Why libsystemd cannot be loaded, NULL if it can.
const char *ccatalog_load_failure(void);
