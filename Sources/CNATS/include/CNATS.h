#pragma once

// libnats, for the trait NATS. It is loaded by cnats_load(), because loading it and the libraries that it needs at each start would
// delay programs that never use NATS. nats.h has the declarations and their meaning. A function of this list is called as there; it
// may be called only when the library is loaded.

#if __has_include(<nats/nats.h>)
#include <nats/nats.h>

#define CNATS_FUNCTIONS(_) \
    _(natsConnection_Close) \
    _(natsConnection_Connect) \
    _(natsConnection_Destroy) \
    _(natsConnection_DrainTimeout) \
    _(natsConnection_FlushTimeout) \
    _(natsConnection_GetConnectedUrl) \
    _(natsConnection_GetMaxPayload) \
    _(natsConnection_IsReconnecting) \
    _(natsConnection_Publish) \
    _(natsConnection_PublishMsg) \
    _(natsConnection_PublishRequest) \
    _(natsConnection_QueueSubscribe) \
    _(natsConnection_Subscribe) \
    _(natsInbox_Create) \
    _(natsInbox_Destroy) \
    _(natsMsgHeader_Add) \
    _(natsMsgHeader_Keys) \
    _(natsMsgHeader_Values) \
    _(natsMsg_Create) \
    _(natsMsg_Destroy) \
    _(natsMsg_GetData) \
    _(natsMsg_GetDataLength) \
    _(natsMsg_GetReply) \
    _(natsMsg_GetSubject) \
    _(natsOptions_Create) \
    _(natsOptions_Destroy) \
    _(natsOptions_LoadCATrustedCertificates) \
    _(natsOptions_SetClosedCB) \
    _(natsOptions_SetDisconnectedCB) \
    _(natsOptions_SetErrorHandler) \
    _(natsOptions_SetMaxReconnect) \
    _(natsOptions_SetName) \
    _(natsOptions_SetNoEcho) \
    _(natsOptions_SetPingInterval) \
    _(natsOptions_SetReconnectBufSize) \
    _(natsOptions_SetReconnectWait) \
    _(natsOptions_SetReconnectedCB) \
    _(natsOptions_SetSecure) \
    _(natsOptions_SetServers) \
    _(natsOptions_SetTimeout) \
    _(natsOptions_SetToken) \
    _(natsOptions_SetUserCredentialsFromFiles) \
    _(natsOptions_SetUserInfo) \
    _(natsOptions_SetWriteDeadline) \
    _(natsOptions_UseGlobalMessageDelivery) \
    _(natsStatus_GetText) \
    _(natsSubscription_Destroy) \
    _(natsSubscription_GetDropped) \
    _(natsSubscription_GetID) \
    _(natsSubscription_SetOnCompleteCB) \
    _(natsSubscription_SetPendingLimits) \
    _(natsSubscription_Unsubscribe) \
    _(nats_GetLastError) \
    _(nats_Open)

// The functions here have other names for the linker, so that they do not take the place of those in the library.
#define CNATS_RENAME(name) extern __typeof__(name) name __asm__("cnats_" #name);
CNATS_FUNCTIONS(CNATS_RENAME)
#undef CNATS_RENAME

// Why libnats cannot be loaded, NULL if it is. May be called from any thread.
const char *cnats_load(void);

#elif defined(CNATS_IS_NEEDED)
#error "nats/nats.h is missing. Install libnats-dev, or build without the trait NATS."
#endif
