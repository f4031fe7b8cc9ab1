#include "CCatalog.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-journal.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
// Both are written once, by load().
static __typeof__(&sd_journal_get_catalog_for_message_id) find_text;
static char failure[256];

static void load(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library == NULL ? NULL : dlsym(library, "sd_journal_get_catalog_for_message_id");
    if (symbol == NULL) {
        const char *reason = dlerror();
        snprintf(failure, sizeof failure, "%s", reason == NULL ? "libsystemd.so.0 has no message catalogue" : reason);
        return;
    }
    // POSIX has functions and data in one address space.
    memcpy(&find_text, &symbol, sizeof find_text);
}

int ccatalog_text(const uint8_t *id, char **text) {
    pthread_once(&once, load);
    if (find_text == NULL) return -ELIBACC;
    sd_id128_t key;
    memcpy(&key, id, sizeof key);
    return find_text(key, text);
}

const char *ccatalog_load_failure(void) {
    pthread_once(&once, load);
    return find_text == NULL ? failure : NULL;
}
