#include "nats-floor.h"

#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t patience = 30000;

int nats_floor_connect(void **connection, const char *url) {
    return natsConnection_ConnectTo((natsConnection **)connection, url);
}

int nats_floor_publish(void *connection, const char *subject, int size, int64_t count) {
    char *payload = calloc(1, (size_t)size);
    if (!payload) return NATS_NO_MEMORY;
    natsStatus status = NATS_OK;
    for (int64_t number = 0; number < count && status == NATS_OK; number++) {
        memcpy(payload, &number, sizeof number);
        status = natsConnection_Publish(connection, subject, payload, size);
    }
    free(payload);
    return status == NATS_OK ? natsConnection_FlushTimeout(connection, patience) : status;
}

int nats_floor_store(void *connection, const char *subject, int size, int64_t count, int64_t pending) {
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
        status = js_PublishAsync(stream, subject, payload, size, NULL);
    }
    jsPubOptions wait;
    jsPubOptions_Init(&wait);
    wait.MaxWait = patience;
    if (status == NATS_OK) status = js_PublishAsyncComplete(stream, &wait);
    jsCtx_Destroy(stream);
    free(payload);
    return status;
}

struct listener {
    natsSubscription *subscription;
    pthread_mutex_t lock;
    pthread_cond_t enough;
    int64_t heard;
    int64_t wanted;
    uint64_t sum;
};

static void hear(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
    (void)connection;
    (void)subscription;
    struct listener *listener = closure;
    uint64_t number = 0;
    if (natsMsg_GetDataLength(message) >= (int)sizeof number) memcpy(&number, natsMsg_GetData(message), sizeof number);
    natsMsg_Destroy(message);
    pthread_mutex_lock(&listener->lock);
    listener->sum += number;
    if (++listener->heard == listener->wanted) pthread_cond_signal(&listener->enough);
    pthread_mutex_unlock(&listener->lock);
}

int nats_floor_listen(void **result, void *connection, const char *subject) {
    struct listener *listener = calloc(1, sizeof *listener);
    if (!listener) return NATS_NO_MEMORY;
    pthread_mutex_init(&listener->lock, NULL);
    pthread_cond_init(&listener->enough, NULL);
    natsStatus status = natsConnection_Subscribe(&listener->subscription, connection, subject, hear, listener);
    if (status == NATS_OK) status = natsSubscription_SetPendingLimits(listener->subscription, -1, -1);
    if (status == NATS_OK) status = natsConnection_FlushTimeout(connection, patience);
    *result = listener;
    return status;
}

int nats_floor_hear(void *pointer, int64_t count, uint64_t *sum) {
    struct listener *listener = pointer;
    pthread_mutex_lock(&listener->lock);
    listener->wanted = count;
    while (listener->heard < count) pthread_cond_wait(&listener->enough, &listener->lock);
    *sum = listener->sum;
    pthread_mutex_unlock(&listener->lock);
    natsStatus status = natsSubscription_Unsubscribe(listener->subscription);
    natsSubscription_Destroy(listener->subscription);
    // The callback may hold the lock for a moment more, so the listener is not freed.
    return status;
}

int nats_floor_serve(const char *url, const char *subject, int size) {
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
        int64_t count = strtoll(natsMsg_GetData(request), NULL, 10);
        natsMsg_Destroy(request);
        status = nats_floor_publish(connection, subject, size, count);
    }
    return status;
}

int nats_floor_ask(void *connection, const char *subject, int64_t count) {
    char place[128], number[32];
    snprintf(place, sizeof place, "ask.%s", subject);
    snprintf(number, sizeof number, "%lld", (long long)count);
    // A text with its zero, so that it can be read in place.
    natsStatus status = natsConnection_Publish(connection, place, number, (int)strlen(number) + 1);
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
