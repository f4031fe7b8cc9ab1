#include "nats-floor.h"

#include <nats/nats.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const int64_t patience = 30000;

struct listener {
    natsSubscription *subscription;
    jsCtx *stream;
    pthread_mutex_t lock;
    pthread_cond_t enough;
    int copies;
    // Each of so many messages is acknowledged; none if it is 0.
    int acknowledged;
    int64_t heard;
    int64_t wanted;
    uint64_t sum;
};

// A message as a program keeps it that goes on with it after the callback.
struct copy {
    char *subject;
    char *data;
    char *headers[2];
};

static void copy_header(struct copy *copy, int index, natsMsg *message, const char *name) {
    const char *value = NULL;
    copy->headers[index] = natsMsgHeader_Get(message, name, &value) == NATS_OK ? strdup(value) : NULL;
}

// Reads the number out of a copy of all that a message has, and frees the copy.
static uint64_t read_copied(natsMsg *message) {
    uint64_t number = 0;
    size_t size = (size_t)natsMsg_GetDataLength(message);
    struct copy *copy = malloc(sizeof *copy);
    if (!copy) return 0;
    copy->subject = strdup(natsMsg_GetSubject(message));
    copy->data = malloc(size);
    copy_header(copy, 0, message, "Content-Type");
    copy_header(copy, 1, message, "Trace-Id");
    if (copy->data && size >= sizeof number) {
        memcpy(copy->data, natsMsg_GetData(message), size);
        memcpy(&number, copy->data, sizeof number);
    }
    free(copy->subject);
    free(copy->data);
    free(copy->headers[0]);
    free(copy->headers[1]);
    free(copy);
    return number;
}

static void hear(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
    (void)connection;
    (void)subscription;
    struct listener *listener = closure;
    uint64_t number = 0;
    if (listener->copies) {
        number = read_copied(message);
    } else if (natsMsg_GetDataLength(message) >= (int)sizeof number) {
        memcpy(&number, natsMsg_GetData(message), sizeof number);
    }
    // Only this thread writes `heard`.
    if (listener->acknowledged && (listener->heard + 1) % listener->acknowledged == 0) natsMsg_Ack(message, NULL);
    natsMsg_Destroy(message);
    pthread_mutex_lock(&listener->lock);
    listener->sum += number;
    if (++listener->heard == listener->wanted) pthread_cond_signal(&listener->enough);
    pthread_mutex_unlock(&listener->lock);
}

static struct listener *make(int copies) {
    struct listener *listener = calloc(1, sizeof *listener);
    if (!listener) return NULL;
    pthread_mutex_init(&listener->lock, NULL);
    pthread_cond_init(&listener->enough, NULL);
    listener->copies = copies;
    return listener;
}

int nats_floor_listen(void **result, void *connection, const char *subject, int copies) {
    struct listener *listener = make(copies);
    if (!listener) return NATS_NO_MEMORY;
    natsStatus status = natsConnection_Subscribe(&listener->subscription, connection, subject, hear, listener);
    if (status == NATS_OK) status = natsSubscription_SetPendingLimits(listener->subscription, -1, -1);
    if (status == NATS_OK) status = natsConnection_FlushTimeout(connection, patience);
    *result = listener;
    return status;
}

int nats_floor_consume(
    void **result,
    void *connection,
    const char *stream,
    const char *subject,
    const char *name,
    int64_t window,
    int copies
) {
    struct listener *listener = make(copies);
    if (!listener) return NATS_NO_MEMORY;
    listener->acknowledged = name ? 1 : 64;
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Stream = stream;
    options.Queue = name;
    options.ManualAck = true;
    options.Config.Durable = name;
    options.Config.AckPolicy = name ? js_AckExplicit : js_AckAll;
    options.Config.MaxAckPending = window;
    natsStatus status = natsConnection_JetStream(&listener->stream, connection, NULL);
    if (status == NATS_OK) {
        status = js_Subscribe(
            &listener->subscription, listener->stream, subject, hear, listener, NULL, &options, NULL
        );
    }
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
    jsCtx_Destroy(listener->stream);
    // The callback may hold the lock for a moment more, so the listener is not freed.
    return status;
}
