// Reading and writing now or not at all, whatever the descriptor's O_NONBLOCK says: that belongs to everybody who shares
// the open file, a terminal's to the shell as well, and is not ours to set.
// Every call returns a count of zero or more, or the error's number negated; interruption by a signal is retried.
#pragma once
#include <stddef.h>
#include <stdint.h>

// What a descriptor is, which decides how it is read and written.
enum clinux_kind {
    // A pipe, terminal or device.
    CLINUX_STREAM,
    // The same where the kernel has no reading without waiting; asked for readiness before each call.
    CLINUX_POLLED,
    CLINUX_SOCKET,
    // A regular file, which is always ready.
    CLINUX_FILE,
};

// Answers a clinux_kind.
int clinux_descriptor_kind(int fd);

// `kind` is changed when the kernel turns out to be too old for it. -EAGAIN when there is nothing yet.
long clinux_read_now(int fd, int *kind, void *buffer, size_t count);
// Never raises SIGPIPE: -EPIPE says it. May write less than `count`; -EAGAIN when there is no room.
long clinux_write_now(int fd, int *kind, const void *bytes, size_t count);

// A duplicate above the standard descriptors that is closed in other programs.
int clinux_duplicate(int fd);
// Two ends above the standard descriptors that are closed in other programs.
int clinux_pipe(int *reading, int *writing);
// How many bytes wait to be read.
int clinux_waiting(int fd);

// Gives the calling thread a table of descriptors of its own, a copy of the process's, which threads that it starts share.
// For tests. Answers 0, or an errno negated.
int clinux_unshare_descriptors(void);
