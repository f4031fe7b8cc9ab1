#pragma once

// The functions of libnats that are used here, declared without its header, so that building needs no libnats. Their names and
// parameters, and the numbers of the statuses, are those of the library's public interface since version 3.0. A test compiles this file
// with CNATS_COMPARED where the library's header is installed: then the compiler compares both.
//
// The library is loaded by cnats_load(), because loading it and the libraries that it needs at each start would delay programs that
// never use NATS. Another function may be called only when the library is loaded.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CNATS_STATUSES(_) \
    _(NATS_OK, 0) \
    _(NATS_ERR, 1) \
    _(NATS_PROTOCOL_ERROR, 2) \
    _(NATS_IO_ERROR, 3) \
    _(NATS_CONNECTION_CLOSED, 5) \
    _(NATS_NO_SERVER, 6) \
    _(NATS_STALE_CONNECTION, 7) \
    _(NATS_SECURE_CONNECTION_WANTED, 8) \
    _(NATS_SECURE_CONNECTION_REQUIRED, 9) \
    _(NATS_CONNECTION_DISCONNECTED, 10) \
    _(NATS_CONNECTION_AUTH_FAILED, 11) \
    _(NATS_NOT_PERMITTED, 12) \
    _(NATS_ADDRESS_MISSING, 14) \
    _(NATS_INVALID_SUBJECT, 15) \
    _(NATS_SLOW_CONSUMER, 20) \
    _(NATS_INSUFFICIENT_BUFFER, 23) \
    _(NATS_TIMEOUT, 26) \
    _(NATS_SSL_ERROR, 29) \
    _(NATS_DRAINING, 32) \
    _(NATS_INVALID_QUEUE_NAME, 33) \
    _(NATS_NO_RESPONDERS, 34)

#ifdef CNATS_COMPARED
#include <nats/nats.h>
#define CNATS_STATUS(name, number) _Static_assert(name == number, #name);
CNATS_STATUSES(CNATS_STATUS)
#else
#define CNATS_STATUS(name, number) name = number,
typedef enum { CNATS_STATUSES(CNATS_STATUS) } natsStatus;
#endif

typedef struct __natsConnection natsConnection;
typedef struct __natsMsg natsMsg;
typedef struct __natsOptions natsOptions;
typedef struct __natsStatistics natsStatistics;
typedef struct __natsSubscription natsSubscription;
typedef char natsInbox;

typedef void (*natsConnectionHandler)(natsConnection *connection, void *closure);
typedef void (*natsErrHandler)(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *closure);
typedef void (*natsMsgHandler)(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure);
typedef void (*natsOnCompleteCB)(void *closure);

// What a function returns, its name, its parameters, and the same as arguments.
#define CNATS_FUNCTIONS(_) \
    _(void, natsConnection_Close, (natsConnection *a), (a)) \
    _(natsStatus, natsConnection_Connect, (natsConnection **a, natsOptions *b), (a, b)) \
    _(void, natsConnection_Destroy, (natsConnection *a), (a)) \
    _(natsStatus, natsConnection_DrainTimeout, (natsConnection *a, int64_t b), (a, b)) \
    _(natsStatus, natsConnection_FlushTimeout, (natsConnection *a, int64_t b), (a, b)) \
    _(natsStatus, natsConnection_GetConnectedUrl, (natsConnection *a, char *b, size_t c), (a, b, c)) \
    _(natsStatus, natsConnection_GetLastError, (natsConnection *a, const char **b), (a, b)) \
    _(int64_t, natsConnection_GetMaxPayload, (natsConnection *a), (a)) \
    _(natsStatus, natsConnection_GetStats, (natsConnection *a, natsStatistics *b), (a, b)) \
    _(bool, natsConnection_IsReconnecting, (natsConnection *a), (a)) \
    _(natsStatus, natsConnection_Publish, (natsConnection *a, const char *b, const void *c, int d), (a, b, c, d)) \
    _(natsStatus, natsConnection_PublishMsg, (natsConnection *a, natsMsg *b), (a, b)) \
    _(natsStatus, natsConnection_PublishRequest, (natsConnection *a, const char *b, const char *c, const void *d, int e), (a, b, c, d, e)) \
    _(natsStatus, natsConnection_QueueSubscribe, (natsSubscription **a, natsConnection *b, const char *c, const char *d, natsMsgHandler e, void *f), (a, b, c, d, e, f)) \
    _(natsStatus, natsConnection_Subscribe, (natsSubscription **a, natsConnection *b, const char *c, natsMsgHandler d, void *e), (a, b, c, d, e)) \
    _(natsStatus, natsInbox_Create, (natsInbox **a), (a)) \
    _(void, natsInbox_Destroy, (natsInbox *a), (a)) \
    _(natsStatus, natsMsgHeader_Add, (natsMsg *a, const char *b, const char *c), (a, b, c)) \
    _(natsStatus, natsMsgHeader_Keys, (natsMsg *a, const char ***b, int *c), (a, b, c)) \
    _(natsStatus, natsMsgHeader_Values, (natsMsg *a, const char *b, const char ***c, int *d), (a, b, c, d)) \
    _(natsStatus, natsMsg_Create, (natsMsg **a, const char *b, const char *c, const char *d, int e), (a, b, c, d, e)) \
    _(void, natsMsg_Destroy, (natsMsg *a), (a)) \
    _(const char *, natsMsg_GetData, (const natsMsg *a), (a)) \
    _(int, natsMsg_GetDataLength, (const natsMsg *a), (a)) \
    _(const char *, natsMsg_GetReply, (const natsMsg *a), (a)) \
    _(const char *, natsMsg_GetSubject, (const natsMsg *a), (a)) \
    _(natsStatus, natsOptions_Create, (natsOptions **a), (a)) \
    _(void, natsOptions_Destroy, (natsOptions *a), (a)) \
    _(natsStatus, natsOptions_LoadCATrustedCertificates, (natsOptions *a, const char *b), (a, b)) \
    _(natsStatus, natsOptions_SetClosedCB, (natsOptions *a, natsConnectionHandler b, void *c), (a, b, c)) \
    _(natsStatus, natsOptions_SetDisconnectedCB, (natsOptions *a, natsConnectionHandler b, void *c), (a, b, c)) \
    _(natsStatus, natsOptions_SetErrorHandler, (natsOptions *a, natsErrHandler b, void *c), (a, b, c)) \
    _(natsStatus, natsOptions_SetMaxReconnect, (natsOptions *a, int b), (a, b)) \
    _(natsStatus, natsOptions_SetName, (natsOptions *a, const char *b), (a, b)) \
    _(natsStatus, natsOptions_SetNoEcho, (natsOptions *a, bool b), (a, b)) \
    _(natsStatus, natsOptions_SetPingInterval, (natsOptions *a, int64_t b), (a, b)) \
    _(natsStatus, natsOptions_SetReconnectBufSize, (natsOptions *a, int b), (a, b)) \
    _(natsStatus, natsOptions_SetReconnectWait, (natsOptions *a, int64_t b), (a, b)) \
    _(natsStatus, natsOptions_SetReconnectedCB, (natsOptions *a, natsConnectionHandler b, void *c), (a, b, c)) \
    _(natsStatus, natsOptions_SetSecure, (natsOptions *a, bool b), (a, b)) \
    _(natsStatus, natsOptions_SetServers, (natsOptions *a, const char **b, int c), (a, b, c)) \
    _(natsStatus, natsOptions_SetTimeout, (natsOptions *a, int64_t b), (a, b)) \
    _(natsStatus, natsOptions_SetToken, (natsOptions *a, const char *b), (a, b)) \
    _(natsStatus, natsOptions_SetUserCredentialsFromFiles, (natsOptions *a, const char *b, const char *c), (a, b, c)) \
    _(natsStatus, natsOptions_SetUserInfo, (natsOptions *a, const char *b, const char *c), (a, b, c)) \
    _(natsStatus, natsOptions_SetWriteDeadline, (natsOptions *a, int64_t b), (a, b)) \
    _(natsStatus, natsOptions_UseGlobalMessageDelivery, (natsOptions *a, bool b), (a, b)) \
    _(natsStatus, natsStatistics_Create, (natsStatistics **a), (a)) \
    _(void, natsStatistics_Destroy, (natsStatistics *a), (a)) \
    _(natsStatus, natsStatistics_GetCounts, (const natsStatistics *a, uint64_t *b, uint64_t *c, uint64_t *d, uint64_t *e, uint64_t *f), (a, b, c, d, e, f)) \
    _(const char *, natsStatus_GetText, (natsStatus a), (a)) \
    _(void, natsSubscription_Destroy, (natsSubscription *a), (a)) \
    _(int64_t, natsSubscription_GetID, (natsSubscription *a), (a)) \
    _(natsStatus, natsSubscription_GetStats, (natsSubscription *a, int *b, int *c, int *d, int *e, int64_t *f, int64_t *g), (a, b, c, d, e, f, g)) \
    _(natsStatus, natsSubscription_SetOnCompleteCB, (natsSubscription *a, natsOnCompleteCB b, void *c), (a, b, c)) \
    _(natsStatus, natsSubscription_SetPendingLimits, (natsSubscription *a, int b, int c), (a, b, c)) \
    _(natsStatus, natsSubscription_Unsubscribe, (natsSubscription *a), (a)) \
    _(const char *, nats_GetLastError, (natsStatus *a), (a)) \
    _(natsStatus, nats_Open, (int64_t a), (a))

// The functions here have other names for the linker, so that they do not take the place of those in the library.
#ifdef CNATS_COMPARED
#define CNATS_DECLARE(result, name, parameters, arguments) result name parameters;
#else
#define CNATS_DECLARE(result, name, parameters, arguments) result name parameters __asm__("cnats_" #name);
#endif
CNATS_FUNCTIONS(CNATS_DECLARE)

// Why libnats cannot be loaded, NULL if it is. May be called from any thread.
const char *cnats_load(void);
