// Datagrams to a Unix socket, with descriptors beside them: control messages are macros, which Swift cannot import.
// Every call returns a result of zero or more, or the error's number negated; interruption by a signal is retried.
#pragma once
#include <stddef.h>
#include <sys/uio.h>

// A datagram socket that programs started meanwhile do not inherit, and whose sends do not wait.
int clinux_datagram_socket(void);

// Makes `name` the receiver, in place of the one before. A name that begins with a zero byte is abstract.
// -ENAMETOOLONG when the name does not fit into an address.
int clinux_datagram_connect(int socket, const char *name, size_t length);

// Sends one datagram to the receiver, and open descriptors with it, without waiting: -EAGAIN when the receiver's queue is full.
// `descriptors` may be NULL when there are none; at most 253, the kernel's limit, else -EINVAL.
int clinux_datagram_send(int socket, const struct iovec *parts, int count, const int *descriptors, size_t descriptor_count);

// Waits until the receiver has room, for at most `milliseconds`: 1 when it has, or is gone; 0 when the time has passed.
int clinux_datagram_wait(int socket, int milliseconds);

// A file in memory with these contents, sealed against any change, whose position is its start.
int clinux_sealed_file(const char *name, const struct iovec *parts, int count);

