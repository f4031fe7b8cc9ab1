// The least that libnats lets a publisher and a subscriber do. Each call returns 0, or a status of libnats.
#pragma once
#include <stdint.h>

// A connection to the server at `url`.
int nats_floor_connect(void **connection, const char *url);

// Publishes `count` messages of `size` bytes, at least 8, to `subject`, and waits until the server has them. Each begins with its
// number, from 0 on. `has_headers` gives each two headers.
int nats_floor_publish(void *connection, const char *subject, int size, int has_headers, int64_t count);

// The same for messages that a stream stores. At most `pending` of them are without an acknowledgement.
int nats_floor_store(void *connection, const char *subject, int size, int has_headers, int64_t count, int64_t pending);

// Subscribes with a callback that adds up the numbers of messages. `copies` lets it copy what a message has, and free the copy.
int nats_floor_listen(void **listener, void *connection, const char *subject, int copies);

// The same for a stream's messages of a subject; at most `window` are without an acknowledgement. With a name, the consumer is durable, and
// the callback acknowledges each message. With NULL it is not, and the callback acknowledges 64 messages at a time.
int nats_floor_consume(
    void **listener, void *connection, const char *stream, const char *subject, const char *name, int64_t window, int copies
);

// Waits for `count` messages, ends the subscription, and tells the sum of their numbers.
int nats_floor_hear(void *listener, int64_t count, uint64_t *sum);

// Publishes to `subject` as often as a message asks for it. Returns when that fails.
int nats_floor_serve(const char *url, const char *subject);

// Asks the process that serves `subject` for `count` messages.
int nats_floor_ask(void *connection, const char *subject, int size, int has_headers, int64_t count);

// Makes a stream in the server's memory. It keeps the last `most` messages.
int nats_floor_stream(void *connection, const char *name, const char *subject, int64_t most);
