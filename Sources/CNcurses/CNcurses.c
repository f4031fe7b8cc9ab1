#define _XOPEN_SOURCE 700
#include "CNcurses.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define CNCURSES_FILE "libncursesw.so.6"

#define CNCURSES_FIELD(result, name, parameters, arguments) result(*name) parameters;
// Written once, by load().
static struct {
    CNCURSES_FUNCTIONS(CNCURSES_FIELD)
} functions;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

#define CNCURSES_FIND(result, name, parameters, arguments) \
    symbol = dlsym(library, #name);                        \
    if (symbol == NULL) {                                  \
        failure = CNCURSES_FILE " has no " #name;          \
        return;                                            \
    }                                                      \
    memcpy(&functions.name, &symbol, sizeof symbol);

static void load(void) {
    void *library = dlopen(CNCURSES_FILE, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        failure = "there is no " CNCURSES_FILE;
        return;
    }
    void *symbol;
    // Those of libtinfo, which it needs, are found, too. POSIX has functions and data in one address space.
    CNCURSES_FUNCTIONS(CNCURSES_FIND)
}

int cncurses_columns(wchar_t character) { return wcwidth(character); }

const char *cncurses_load(void) {
    pthread_once(&once, load);
    return failure;
}

#define CNCURSES_CALL(result, name, parameters, arguments) \
    result name parameters { return functions.name arguments; }
CNCURSES_FUNCTIONS(CNCURSES_CALL)
