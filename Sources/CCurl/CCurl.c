#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CURL_GLOBAL_DEFAULT 3L

#define CCURL_FUNCTIONS(_) \
    _(int, curl_global_init, (long)) \
    _(CURL *, curl_easy_init, (void)) \
    _(void, curl_easy_cleanup, (CURL *)) \
    _(const char *, curl_easy_strerror, (int)) \
    _(int, curl_easy_setopt, (CURL *, int, ...)) \
    _(int, curl_easy_getinfo, (CURL *, int, ...)) \
    _(CURLM *, curl_multi_init, (void)) \
    _(int, curl_multi_cleanup, (CURLM *)) \
    _(int, curl_multi_add_handle, (CURLM *, CURL *)) \
    _(int, curl_multi_remove_handle, (CURLM *, CURL *)) \
    _(int, curl_multi_perform, (CURLM *, int *)) \
    _(CCurlMessage *, curl_multi_info_read, (CURLM *, int *)) \
    _(int, curl_multi_poll, (CURLM *, void *, unsigned int, int, int *)) \
    _(int, curl_multi_wakeup, (CURLM *)) \
    _(struct curl_slist *, curl_slist_append, (struct curl_slist *, const char *)) \
    _(void, curl_slist_free_all, (struct curl_slist *))

#define DEFLATE_FUNCTIONS(_) \
    _(CDeflater *, libdeflate_alloc_compressor, (int)) \
    _(void, libdeflate_free_compressor, (CDeflater *)) \
    _(size_t, libdeflate_gzip_compress_bound, (CDeflater *, size_t)) \
    _(size_t, libdeflate_gzip_compress, (CDeflater *, const void *, size_t, void *, size_t))

#define CCURL_FIELD(result, name, parameters) result(*name) parameters;
// Written once, by load().
static struct {
    CCURL_FUNCTIONS(CCURL_FIELD)
    DEFLATE_FUNCTIONS(CCURL_FIELD)
} functions;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;
static char text[256];

// POSIX has functions and data in one address space.
#define CCURL_FIND(result, name, parameters) \
    symbol = dlsym(library, #name);          \
    if (symbol == NULL) {                    \
        missing = #name;                     \
    } else {                                 \
        memcpy(&functions.name, &symbol, sizeof symbol); \
    }

static void *load_library(const char *name, const char *package) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(text, sizeof text, "there is no %s (Debian's package %s has it)", name, package);
        failure = text;
    }
    return library;
}

static void load(void) {
    const char *missing = NULL;
    void *symbol;
    void *library = load_library("libcurl.so.4", "libcurl4");
    if (library == NULL) return;
    CCURL_FUNCTIONS(CCURL_FIND)
    if (missing != NULL) {
        snprintf(text, sizeof text, "libcurl.so.4 has no %s: it is older than 7.68", missing);
        failure = text;
        return;
    }
    library = load_library("libdeflate.so.0", "libdeflate0");
    if (library == NULL) return;
    DEFLATE_FUNCTIONS(CCURL_FIND)
    if (missing != NULL) {
        snprintf(text, sizeof text, "libdeflate.so.0 has no %s", missing);
        failure = text;
        return;
    }
    if (functions.curl_global_init(CURL_GLOBAL_DEFAULT) != 0) failure = "libcurl cannot be initialised";
}

const char *ccurl_load(void) {
    pthread_once(&once, load);
    return failure;
}

CURL *ccurl_easy_init(void) { return functions.curl_easy_init(); }
void ccurl_easy_cleanup(CURL *handle) { functions.curl_easy_cleanup(handle); }
const char *ccurl_easy_strerror(int code) { return functions.curl_easy_strerror(code); }

int ccurl_set_long(CURL *handle, int option, long value) { return functions.curl_easy_setopt(handle, option, value); }

int ccurl_set_offset(CURL *handle, int option, int64_t value) {
    return functions.curl_easy_setopt(handle, option, value);
}

int ccurl_set_pointer(CURL *handle, int option, const void *value) {
    return functions.curl_easy_setopt(handle, option, value);
}

int ccurl_set_write(CURL *handle, size_t (*write)(char *, size_t, size_t, void *), void *context) {
    int code = functions.curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
    return code != 0 ? code : functions.curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

long ccurl_get_long(CURL *handle, int info) {
    long value = 0;
    return functions.curl_easy_getinfo(handle, info, &value) == 0 ? value : 0;
}

int64_t ccurl_get_offset(CURL *handle, int info) {
    int64_t value = 0;
    return functions.curl_easy_getinfo(handle, info, &value) == 0 ? value : 0;
}

CURLM *ccurl_multi_init(void) { return functions.curl_multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { functions.curl_multi_cleanup(multi); }
int ccurl_multi_add(CURLM *multi, CURL *handle) { return functions.curl_multi_add_handle(multi, handle); }
int ccurl_multi_remove(CURLM *multi, CURL *handle) { return functions.curl_multi_remove_handle(multi, handle); }

int ccurl_multi_perform(CURLM *multi) {
    int running;
    return functions.curl_multi_perform(multi, &running);
}

CCurlMessage *ccurl_multi_done(CURLM *multi) {
    int left;
    CCurlMessage *message;
    do message = functions.curl_multi_info_read(multi, &left);
    while (message != NULL && message->msg != CURLMSG_DONE);
    return message;
}

int ccurl_multi_poll(CURLM *multi, int milliseconds) {
    return functions.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

int ccurl_multi_wakeup(CURLM *multi) { return functions.curl_multi_wakeup(multi); }

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text) {
    return functions.curl_slist_append(list, text);
}

void ccurl_free(struct curl_slist *list) { functions.curl_slist_free_all(list); }

CDeflater *cdeflate_init(void) { return functions.libdeflate_alloc_compressor(1); }
void cdeflate_cleanup(CDeflater *deflater) { functions.libdeflate_free_compressor(deflater); }

size_t cdeflate_gzip_bound(CDeflater *deflater, size_t count) {
    return functions.libdeflate_gzip_compress_bound(deflater, count);
}

size_t cdeflate_gzip(CDeflater *deflater, const void *bytes, size_t count, void *into, size_t capacity) {
    return functions.libdeflate_gzip_compress(deflater, bytes, count, into, capacity);
}
