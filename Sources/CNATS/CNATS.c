#include "CNATS.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// Each minor version has a file name of its own. The newest that is there is taken.
#define CNATS_NEWEST 30

#define CNATS_FIELD(result, name, parameters, arguments) result(*name) parameters;
// Written once, by load().
static struct {
    CNATS_FUNCTIONS(CNATS_FIELD)
} functions;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;
static char text[256];

#define CNATS_FIND(result, name, parameters, arguments)      \
    symbol = dlsym(library, #name);                          \
    if (symbol == NULL) {                                    \
        snprintf(text, sizeof text, "%s has no " #name, file); \
        failure = text;                                      \
        return;                                              \
    }                                                        \
    memcpy(&functions.name, &symbol, sizeof symbol);

// `exit` would take OpenSSL apart beneath the threads of libnats and of links, which still use it: the program that ends would crash.
// OpenSSL leaves that out if it is asked to before anybody else has used it. A libnats without TLS has no OpenSSL.
static void keep_openssl(void *library) {
    static const uint64_t no_atexit = 0x00080000; // OPENSSL_INIT_NO_ATEXIT, of OpenSSL 1.1.1 and later
    int (*init)(uint64_t options, const void *settings);
    void *symbol = dlsym(library, "OPENSSL_init_crypto");
    if (symbol == NULL) return;
    memcpy(&init, &symbol, sizeof symbol);
    init(no_atexit, NULL);
}

static void load(void) {
    char file[32];
    void *library = NULL;
    for (int minor = CNATS_NEWEST; minor >= 0 && library == NULL; minor--) {
        snprintf(file, sizeof file, "libnats.so.3.%d", minor);
        library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) {
        failure = "there is no libnats.so.3.x";
        return;
    }
    void *symbol;
    // POSIX has functions and data in one address space.
    CNATS_FUNCTIONS(CNATS_FIND)
    keep_openssl(library);
}

const char *cnats_load(void) {
    pthread_once(&once, load);
    return failure;
}

#define CNATS_CALL(result, name, parameters, arguments) \
    result name parameters { return functions.name arguments; }
CNATS_FUNCTIONS(CNATS_CALL)
