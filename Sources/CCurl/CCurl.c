#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CURL_GLOBAL_DEFAULT 3L
#define Z_BEST_SPEED 1
#define Z_DEFLATED 8
#define Z_FINISH 4
#define Z_STREAM_END 1

// zlib's, whose layout is a part of its binary interface.
typedef struct {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;

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

#define ZLIB_FUNCTIONS(_) \
    _(const char *, zlibVersion, (void)) \
    _(int, deflateInit2_, (z_stream *, int, int, int, int, int, const char *, int)) \
    _(unsigned long, deflateBound, (z_stream *, unsigned long)) \
    _(int, deflate, (z_stream *, int)) \
    _(int, deflateEnd, (z_stream *))

#define CCURL_FIELD(result, name, parameters) result(*name) parameters;
// Written once, by load().
static struct {
    CCURL_FUNCTIONS(CCURL_FIELD)
    ZLIB_FUNCTIONS(CCURL_FIELD)
} functions;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;
static char text[256];
static bool has_zlib;

// POSIX has functions and data in one address space.
#define CCURL_FIND(result, name, parameters) \
    symbol = dlsym(library, #name);          \
    if (symbol == NULL) {                    \
        missing = #name;                     \
    } else {                                 \
        memcpy(&functions.name, &symbol, sizeof symbol); \
    }

static void load_zlib(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    const char *missing = NULL;
    void *symbol;
    ZLIB_FUNCTIONS(CCURL_FIND)
    has_zlib = missing == NULL;
}

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        failure = "there is no libcurl.so.4 (Debian's package libcurl4 has it)";
        return;
    }
    const char *missing = NULL;
    void *symbol;
    CCURL_FUNCTIONS(CCURL_FIND)
    if (missing != NULL) {
        snprintf(text, sizeof text, "libcurl.so.4 has no %s: it is older than 7.68", missing);
        failure = text;
        return;
    }
    if (functions.curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        failure = "libcurl cannot be initialised";
        return;
    }
    load_zlib();
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

static bool begin(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    // 15 bits of window; 16 more ask for gzip's head and tail.
    return functions.deflateInit2_(stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, 0, functions.zlibVersion(),
                                   (int)sizeof *stream) == 0;
}

size_t ccurl_gzip_bound(size_t count) {
    z_stream stream;
    if (!has_zlib || !begin(&stream)) return 0;
    size_t bound = functions.deflateBound(&stream, count);
    functions.deflateEnd(&stream);
    return bound;
}

size_t ccurl_gzip(const void *bytes, size_t count, void *into, size_t capacity) {
    z_stream stream;
    if (!has_zlib || count > UINT32_MAX || capacity > UINT32_MAX || !begin(&stream)) return 0;
    stream.next_in = bytes;
    stream.avail_in = (unsigned int)count;
    stream.next_out = into;
    stream.avail_out = (unsigned int)capacity;
    bool is_done = functions.deflate(&stream, Z_FINISH) == Z_STREAM_END;
    functions.deflateEnd(&stream);
    return is_done ? stream.total_out : 0;
}
