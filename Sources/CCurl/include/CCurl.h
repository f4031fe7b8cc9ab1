#pragma once

// The functions of libcurl that are used here, declared without its header, so that building needs no libcurl; and libdeflate's, for
// gzip: at its fastest level it takes two thirds of zlib's time. The numbers are those of libcurl's public interface, which are never used anew. A test compiles this file with
// CCURL_COMPARED where the library's header is installed: then the compiler compares both.
//
// The libraries are loaded by ccurl_load(), because loading them at each start would delay programs that never speak HTTP. Another
// function may be called only when that has succeeded.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CCURL_OPTIONS(_) \
    _(CURLOPT_WRITEDATA, 10001) \
    _(CURLOPT_URL, 10002) \
    _(CURLOPT_PROXY, 10004) \
    _(CURLOPT_ERRORBUFFER, 10010) \
    _(CURLOPT_POSTFIELDS, 10015) \
    _(CURLOPT_HTTPHEADER, 10023) \
    _(CURLOPT_SSLCERT, 10025) \
    _(CURLOPT_CAINFO, 10065) \
    _(CURLOPT_SSLKEY, 10087) \
    _(CURLOPT_WRITEFUNCTION, 20011) \
    _(CURLOPT_POSTFIELDSIZE_LARGE, 30120) \
    _(CURLOPT_POST, 47) \
    _(CURLOPT_FOLLOWLOCATION, 52) \
    _(CURLOPT_NOSIGNAL, 99) \
    _(CURLOPT_HTTP_VERSION, 84) \
    _(CURLOPT_TIMEOUT_MS, 155) \
    _(CURLOPT_CONNECTTIMEOUT_MS, 156) \
    _(CURLOPT_PROTOCOLS, 181) \
    _(CURLOPT_TCP_KEEPALIVE, 213) \
    _(CURLINFO_RESPONSE_CODE, 0x200002) \
    _(CURLINFO_RETRY_AFTER, 0x600039) \
    _(CURL_HTTP_VERSION_1_1, 2) \
    _(CURLE_COULDNT_RESOLVE_PROXY, 5) \
    _(CURLE_WRITE_ERROR, 23) \
    _(CURLE_OUT_OF_MEMORY, 27) \
    _(CURLMSG_DONE, 1)

typedef struct {
    int msg;
    void *easy_handle;
    union {
        void *whatever;
        int result;
    } data;
} CCurlMessage;

#ifdef CCURL_COMPARED
#include <curl/curl.h>
#define CCURL_NUMBER(name, number) _Static_assert(name == number, #name);
CCURL_OPTIONS(CCURL_NUMBER)
#define CCURL_MEMBER(name) \
    _Static_assert(offsetof(CCurlMessage, name) == offsetof(CURLMsg, name), #name); \
    _Static_assert(sizeof(((CCurlMessage *)0)->name) == sizeof(((CURLMsg *)0)->name), #name);
CCURL_MEMBER(msg)
CCURL_MEMBER(easy_handle)
CCURL_MEMBER(data.result)
#else
#define CCURL_NUMBER(name, number) name = number,
typedef enum { CCURL_OPTIONS(CCURL_NUMBER) } CCurlNumber;
typedef struct CURL CURL;
typedef struct CURLM CURLM;
struct curl_slist;
#endif

// Why the library cannot be loaded, NULL if it is. May be called from any thread.
const char *ccurl_load(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *handle);
const char *ccurl_easy_strerror(int code);
// curl_easy_setopt() for each type of value. They return 0, or an error's number.
int ccurl_set_long(CURL *handle, int option, long value);
int ccurl_set_offset(CURL *handle, int option, int64_t value);
int ccurl_set_pointer(CURL *handle, int option, const void *value);
int ccurl_set_write(CURL *handle, size_t (*write)(char *bytes, size_t size, size_t count, void *context), void *context);
// curl_easy_getinfo(); 0 where there is no value.
long ccurl_get_long(CURL *handle, int info);
int64_t ccurl_get_offset(CURL *handle, int info);

CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
int ccurl_multi_add(CURLM *multi, CURL *handle);
int ccurl_multi_remove(CURLM *multi, CURL *handle);
int ccurl_multi_perform(CURLM *multi);
// A transfer that has ended, or NULL. It is valid until the handle is removed.
CCurlMessage *ccurl_multi_done(CURLM *multi);
int ccurl_multi_poll(CURLM *multi, int milliseconds);
// May be called from any thread.
int ccurl_multi_wakeup(CURLM *multi);

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text);
void ccurl_free(struct curl_slist *list);

typedef struct libdeflate_compressor CDeflater;

// At the fastest level; NULL without memory. For one thread at a time.
CDeflater *cdeflate_init(void);
void cdeflate_cleanup(CDeflater *deflater);
// How many bytes cdeflate_gzip() may need.
size_t cdeflate_gzip_bound(CDeflater *deflater, size_t count);
// Returns the number of bytes, 0 for a failure.
size_t cdeflate_gzip(CDeflater *deflater, const void *bytes, size_t count, void *into, size_t capacity);
