#include "CNATS.h"

#if __has_include(<nats/nats.h>)
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// The name of the library that fits the header.
#define CNATS_TEXT_OF(number) #number
#define CNATS_TEXT(number) CNATS_TEXT_OF(number)
#define CNATS_LIBRARY "libnats.so." CNATS_TEXT(NATS_VERSION_MAJOR) "." CNATS_TEXT(NATS_VERSION_MINOR)

#define CNATS_FIELD(name) __typeof__(&name) name;
// Written once, by load().
static struct {
    CNATS_FUNCTIONS(CNATS_FIELD)
} functions;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;
static char text[256];

static void fail(const char *fallback) {
    const char *reason = dlerror();
    snprintf(text, sizeof text, "%s", reason == NULL ? fallback : reason);
    failure = text;
}

#define CNATS_FIND(name)                           \
    symbol = dlsym(library, #name);                \
    if (symbol == NULL) {                          \
        fail(#name);                               \
        return;                                    \
    }                                              \
    memcpy(&functions.name, &symbol, sizeof symbol);

static void load(void) {
    void *library = dlopen(CNATS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail(CNATS_LIBRARY);
        return;
    }
    void *symbol;
    // POSIX has functions and data in one address space.
    CNATS_FUNCTIONS(CNATS_FIND)
}

const char *cnats_load(void) {
    pthread_once(&once, load);
    return failure;
}

void natsConnection_Close(natsConnection *a) { functions.natsConnection_Close(a); }
natsStatus natsConnection_Connect(natsConnection **a, natsOptions *b) { return functions.natsConnection_Connect(a, b); }
void natsConnection_Destroy(natsConnection *a) { functions.natsConnection_Destroy(a); }
natsStatus natsConnection_DrainTimeout(natsConnection *a, int64_t b) { return functions.natsConnection_DrainTimeout(a, b); }
natsStatus natsConnection_FlushTimeout(natsConnection *a, int64_t b) { return functions.natsConnection_FlushTimeout(a, b); }
natsStatus natsConnection_GetConnectedUrl(natsConnection *a, char *b, size_t c) { return functions.natsConnection_GetConnectedUrl(a, b, c); }
int64_t natsConnection_GetMaxPayload(natsConnection *a) { return functions.natsConnection_GetMaxPayload(a); }
bool natsConnection_IsReconnecting(natsConnection *a) { return functions.natsConnection_IsReconnecting(a); }
natsStatus natsConnection_Publish(natsConnection *a, const char *b, const void *c, int d) { return functions.natsConnection_Publish(a, b, c, d); }
natsStatus natsConnection_PublishMsg(natsConnection *a, natsMsg *b) { return functions.natsConnection_PublishMsg(a, b); }
natsStatus natsConnection_PublishRequest(natsConnection *a, const char *b, const char *c, const void *d, int e) { return functions.natsConnection_PublishRequest(a, b, c, d, e); }
natsStatus natsConnection_QueueSubscribe(natsSubscription **a, natsConnection *b, const char *c, const char *d, natsMsgHandler e, void *f) { return functions.natsConnection_QueueSubscribe(a, b, c, d, e, f); }
natsStatus natsConnection_Subscribe(natsSubscription **a, natsConnection *b, const char *c, natsMsgHandler d, void *e) { return functions.natsConnection_Subscribe(a, b, c, d, e); }
natsStatus natsInbox_Create(natsInbox **a) { return functions.natsInbox_Create(a); }
void natsInbox_Destroy(natsInbox *a) { functions.natsInbox_Destroy(a); }
natsStatus natsMsgHeader_Add(natsMsg *a, const char *b, const char *c) { return functions.natsMsgHeader_Add(a, b, c); }
natsStatus natsMsgHeader_Keys(natsMsg *a, const char ***b, int *c) { return functions.natsMsgHeader_Keys(a, b, c); }
natsStatus natsMsgHeader_Values(natsMsg *a, const char *b, const char ***c, int *d) { return functions.natsMsgHeader_Values(a, b, c, d); }
natsStatus natsMsg_Create(natsMsg **a, const char *b, const char *c, const char *d, int e) { return functions.natsMsg_Create(a, b, c, d, e); }
void natsMsg_Destroy(natsMsg *a) { functions.natsMsg_Destroy(a); }
const char *natsMsg_GetData(const natsMsg *a) { return functions.natsMsg_GetData(a); }
int natsMsg_GetDataLength(const natsMsg *a) { return functions.natsMsg_GetDataLength(a); }
const char *natsMsg_GetReply(const natsMsg *a) { return functions.natsMsg_GetReply(a); }
const char *natsMsg_GetSubject(const natsMsg *a) { return functions.natsMsg_GetSubject(a); }
natsStatus natsOptions_Create(natsOptions **a) { return functions.natsOptions_Create(a); }
void natsOptions_Destroy(natsOptions *a) { functions.natsOptions_Destroy(a); }
natsStatus natsOptions_LoadCATrustedCertificates(natsOptions *a, const char *b) { return functions.natsOptions_LoadCATrustedCertificates(a, b); }
natsStatus natsOptions_SetClosedCB(natsOptions *a, natsConnectionHandler b, void *c) { return functions.natsOptions_SetClosedCB(a, b, c); }
natsStatus natsOptions_SetDisconnectedCB(natsOptions *a, natsConnectionHandler b, void *c) { return functions.natsOptions_SetDisconnectedCB(a, b, c); }
natsStatus natsOptions_SetErrorHandler(natsOptions *a, natsErrHandler b, void *c) { return functions.natsOptions_SetErrorHandler(a, b, c); }
natsStatus natsOptions_SetMaxReconnect(natsOptions *a, int b) { return functions.natsOptions_SetMaxReconnect(a, b); }
natsStatus natsOptions_SetName(natsOptions *a, const char *b) { return functions.natsOptions_SetName(a, b); }
natsStatus natsOptions_SetNoEcho(natsOptions *a, bool b) { return functions.natsOptions_SetNoEcho(a, b); }
natsStatus natsOptions_SetPingInterval(natsOptions *a, int64_t b) { return functions.natsOptions_SetPingInterval(a, b); }
natsStatus natsOptions_SetReconnectBufSize(natsOptions *a, int b) { return functions.natsOptions_SetReconnectBufSize(a, b); }
natsStatus natsOptions_SetReconnectWait(natsOptions *a, int64_t b) { return functions.natsOptions_SetReconnectWait(a, b); }
natsStatus natsOptions_SetReconnectedCB(natsOptions *a, natsConnectionHandler b, void *c) { return functions.natsOptions_SetReconnectedCB(a, b, c); }
natsStatus natsOptions_SetSecure(natsOptions *a, bool b) { return functions.natsOptions_SetSecure(a, b); }
natsStatus natsOptions_SetServers(natsOptions *a, const char **b, int c) { return functions.natsOptions_SetServers(a, b, c); }
natsStatus natsOptions_SetTimeout(natsOptions *a, int64_t b) { return functions.natsOptions_SetTimeout(a, b); }
natsStatus natsOptions_SetToken(natsOptions *a, const char *b) { return functions.natsOptions_SetToken(a, b); }
natsStatus natsOptions_SetUserCredentialsFromFiles(natsOptions *a, const char *b, const char *c) { return functions.natsOptions_SetUserCredentialsFromFiles(a, b, c); }
natsStatus natsOptions_SetUserInfo(natsOptions *a, const char *b, const char *c) { return functions.natsOptions_SetUserInfo(a, b, c); }
natsStatus natsOptions_SetWriteDeadline(natsOptions *a, int64_t b) { return functions.natsOptions_SetWriteDeadline(a, b); }
natsStatus natsOptions_UseGlobalMessageDelivery(natsOptions *a, bool b) { return functions.natsOptions_UseGlobalMessageDelivery(a, b); }
const char *natsStatus_GetText(natsStatus a) { return functions.natsStatus_GetText(a); }
void natsSubscription_Destroy(natsSubscription *a) { functions.natsSubscription_Destroy(a); }
natsStatus natsSubscription_GetDropped(natsSubscription *a, int64_t *b) { return functions.natsSubscription_GetDropped(a, b); }
int64_t natsSubscription_GetID(natsSubscription *a) { return functions.natsSubscription_GetID(a); }
natsStatus natsSubscription_SetOnCompleteCB(natsSubscription *a, natsOnCompleteCB b, void *c) { return functions.natsSubscription_SetOnCompleteCB(a, b, c); }
natsStatus natsSubscription_SetPendingLimits(natsSubscription *a, int b, int c) { return functions.natsSubscription_SetPendingLimits(a, b, c); }
natsStatus natsSubscription_Unsubscribe(natsSubscription *a) { return functions.natsSubscription_Unsubscribe(a); }
const char *nats_GetLastError(natsStatus *a) { return functions.nats_GetLastError(a); }
natsStatus nats_Open(int64_t a) { return functions.nats_Open(a); }
#endif
