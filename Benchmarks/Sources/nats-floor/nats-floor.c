#include "nats-floor.h"

#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t patience = 30000;

// The headers of messages that have some.
static const char *const names[] = {"Content-Type", "Trace-Id"};
static const char *const values[] = {"application/json", "4bf92f3577b34da6a3ce929d0e0e4736"};

int nats_floor_connect(void **connection, const char *url) {
    return natsConnection_ConnectTo((natsConnection **)connection, url);
}

// A message with headers.
static natsStatus make(natsMsg **message, const char *subject, const char *payload, int size) {
    natsStatus status = natsMsg_Create(message, subject, NULL, payload, size);
    for (int index = 0; index < 2 && status == NATS_OK; index++) {
        status = natsMsgHeader_Set(*message, names[index], values[index]);
    }
    return status;
}

static natsStatus publish_with_headers(natsConnection *connection, const char *subject, const char *payload, int size) {
    natsMsg *message = NULL;
    natsStatus status = make(&message, subject, payload, size);
    if (status == NATS_OK) status = natsConnection_PublishMsg(connection, message);
    natsMsg_Destroy(message);
    return status;
}

int nats_floor_publish(void *connection, const char *subject, int size, int has_headers, int64_t count) {
    char *payload = calloc(1, (size_t)size);
    if (!payload) return NATS_NO_MEMORY;
    natsStatus status = NATS_OK;
    for (int64_t number = 0; number < count && status == NATS_OK; number++) {
        memcpy(payload, &number, sizeof number);
        status = has_headers ? publish_with_headers(connection, subject, payload, size)
                             : natsConnection_Publish(connection, subject, payload, size);
    }
    free(payload);
    return status == NATS_OK ? natsConnection_FlushTimeout(connection, patience) : status;
}

static natsStatus store_with_headers(jsCtx *stream, const char *subject, const char *payload, int size) {
    natsMsg *message = NULL;
    natsStatus status = make(&message, subject, payload, size);
    // It takes the message, unless it fails.
    if (status == NATS_OK) status = js_PublishMsgAsync(stream, &message, NULL);
    natsMsg_Destroy(message);
    return status;
}

int nats_floor_store(void *connection, const char *subject, int size, int has_headers, int64_t count, int64_t pending) {
    char *payload = calloc(1, (size_t)size);
    if (!payload) return NATS_NO_MEMORY;
    jsOptions options;
    jsCtx *stream = NULL;
    jsOptions_Init(&options);
    options.PublishAsync.MaxPending = pending;
    options.PublishAsync.StallWait = patience;
    natsStatus status = natsConnection_JetStream(&stream, connection, &options);
    for (int64_t number = 0; number < count && status == NATS_OK; number++) {
        memcpy(payload, &number, sizeof number);
        status = has_headers ? store_with_headers(stream, subject, payload, size)
                             : js_PublishAsync(stream, subject, payload, size, NULL);
    }
    jsPubOptions wait;
    jsPubOptions_Init(&wait);
    wait.MaxWait = patience;
    if (status == NATS_OK) status = js_PublishAsyncComplete(stream, &wait);
    jsCtx_Destroy(stream);
    free(payload);
    return status;
}

int nats_floor_serve(const char *url, const char *subject) {
    natsConnection *connection = NULL;
    natsSubscription *requests = NULL;
    char place[128];
    snprintf(place, sizeof place, "ask.%s", subject);
    natsStatus status = natsConnection_ConnectTo(&connection, url);
    if (status == NATS_OK) status = natsConnection_SubscribeSync(&requests, connection, place);
    if (status == NATS_OK) status = natsConnection_FlushTimeout(connection, patience);
    // Whoever started this process waits for a byte.
    if (status == NATS_OK && putchar('.') < 0) status = NATS_IO_ERROR;
    fflush(stdout);
    while (status == NATS_OK) {
        natsMsg *request = NULL;
        status = natsSubscription_NextMsg(&request, requests, 600000);
        if (status != NATS_OK) break;
        long long count = 0;
        int size = 0, has_headers = 0;
        int found = sscanf(natsMsg_GetData(request), "%lld %d %d", &count, &size, &has_headers);
        natsMsg_Destroy(request);
        status = found == 3 ? nats_floor_publish(connection, subject, size, has_headers, count) : NATS_INVALID_ARG;
    }
    return status;
}

int nats_floor_ask(void *connection, const char *subject, int size, int has_headers, int64_t count) {
    char place[128], text[64];
    snprintf(place, sizeof place, "ask.%s", subject);
    snprintf(text, sizeof text, "%lld %d %d", (long long)count, size, has_headers);
    // A text with its zero, so that it can be read in place.
    natsStatus status = natsConnection_Publish(connection, place, text, (int)strlen(text) + 1);
    return status == NATS_OK ? natsConnection_FlushTimeout(connection, patience) : status;
}

int nats_floor_stream(void *connection, const char *name, const char *subject, int64_t most) {
    jsCtx *stream = NULL;
    natsStatus status = natsConnection_JetStream(&stream, connection, NULL);
    jsStreamConfig configuration;
    jsStreamConfig_Init(&configuration);
    configuration.Name = name;
    const char *subjects[] = {subject};
    configuration.Subjects = subjects;
    configuration.SubjectsLen = 1;
    configuration.Storage = js_MemoryStorage;
    configuration.MaxMsgs = most;
    if (status == NATS_OK) status = js_AddStream(NULL, stream, &configuration, NULL, NULL);
    jsCtx_Destroy(stream);
    return status;
}
