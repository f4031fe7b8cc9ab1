#define _GNU_SOURCE
#include "CDBus.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
// All three are written once, by load().
static struct cdbus functions;
static bool is_loaded;
static char failure[256];

static void fail(const char *fallback) {
    const char *reason = dlerror();
    snprintf(failure, sizeof failure, "%s", reason == NULL ? fallback : reason);
}

static bool find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    if (symbol == NULL) {
        fail(name);
        return false;
    }
    // POSIX has functions and data in one address space.
    memcpy(function, &symbol, sizeof symbol);
    return true;
}

#define CDBUS_FIND(name) \
    if (!find(library, "sd_bus_" #name, &functions.name)) return;

static void load(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail("libsystemd.so.0");
        return;
    }
    CDBUS_FUNCTIONS(CDBUS_FIND)
    is_loaded = true;
}

const struct cdbus *cdbus_functions(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

const char *cdbus_load_failure(void) {
    pthread_once(&once, load);
    return is_loaded ? NULL : failure;
}

const char *cdbus_variable(const char *name) {
    return secure_getenv(name);
}
