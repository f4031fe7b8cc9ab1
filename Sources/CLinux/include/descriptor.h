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
    // The same where the kernel cannot be told with a call not to wait: a terminal, most devices, and before Linux 6.4 a pipe.
    CLINUX_WAITING,
    CLINUX_SOCKET,
    // A regular file, which is always ready. Calls for this kind may wait.
    CLINUX_FILE,
};

// Answers a clinux_kind.
int clinux_descriptor_kind(int fd);

// `kind` is changed when the kernel cannot do it. -EAGAIN when there is nothing yet. -EOPNOTSUPP, and nothing is done, for
// what could wait: a CLINUX_WAITING whose open file has no O_NONBLOCK.
long clinux_read_now(int fd, int *kind, void *buffer, size_t count);
// The same. Never raises SIGPIPE: -EPIPE says it. May write less than `count`; -EAGAIN when there is no room.
long clinux_write_now(int fd, int *kind, const void *bytes, size_t count);
// Whether poll finds it ready, or gone.
int clinux_is_ready(int fd, int is_writing);

// Opens the terminal, pipe or FIFO behind a descriptor anew with O_NONBLOCK, and puts that in the descriptor's place. The open
// file that others share is not touched. Fails, with the descriptor as it was, where /proc or a permission is missing, and for
// what would not be the same file: -EOPNOTSUPP for a pty's master and for devices.
int clinux_reopen_nonblocking(int fd);

// A duplicate above the standard descriptors that is closed in other programs.
int clinux_duplicate(int fd);
// Two ends above the standard descriptors that are closed in other programs.
int clinux_pipe(int *reading, int *writing);
// How many bytes wait to be read.
int clinux_waiting(int fd);

// Gives the calling thread a table of descriptors of its own, a copy of the process's, which threads that it starts share.
// For tests. Answers 0, or an errno negated.
int clinux_unshare_descriptors(void);

// Waits until `first` has some of `events` (POLLIN, POLLOUT), or has failed, or `second` can be read. Waits for so many
// nanoseconds, for ever when that is below zero. Answers 0 or the error's number negated; an interruption is no error, and ends
// the wait. A descriptor below zero is left out.
int clinux_wait_for_either(int first, short events, int second, int64_t nanoseconds);
