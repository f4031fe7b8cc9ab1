// Stream sockets of the Unix family: listening at a path, and who is at the other end, of which Swift's Glibc module shows
// neither accept4 nor struct ucred.
// Every call returns a result of zero or more, or the error's number negated; interruption by a signal is retried.
#pragma once
#include <stddef.h>
#include <sys/types.h>

// The longest path that fits into an address, in bytes.
#define CLINUX_UNIX_PATH 107

// A socket bound to the path, with at most the permissions of `mode` from the moment in which the file exists, and less what
// the umask takes. It does not listen yet. Closed in other programs, and its calls do not wait.
// -ENAMETOOLONG for a path above CLINUX_UNIX_PATH, -EADDRINUSE when there is something at the path.
int clinux_unix_bind(const char *path, size_t length, mode_t mode);

// Whether anything listens at the path: 1 or 0. -EPROTOTYPE for a socket of another type.
int clinux_unix_is_live(const char *path, size_t length);

// A connection to whoever listens at the path, closed in other programs, whose calls do not wait. -EAGAIN when the listener's queue is
// full.
int clinux_unix_connect(const char *path, size_t length);

// 1 when the descriptor is a stream socket of the Unix family that listens; 0 when it is something else.
int clinux_unix_is_listener(int fd);
// Makes the open file's calls return at once.
int clinux_unix_set_nonblocking(int fd);

// The next connection, closed in other programs, whose calls do not wait. -EAGAIN when there is none.
int clinux_unix_accept(int fd);

struct clinux_peer {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

// The process that connected, as it was when it did.
int clinux_unix_peer(int fd, struct clinux_peer *peer);
// Its further groups, at most `count`; answers how many there are. -ERANGE when there are more.
int clinux_unix_peer_groups(int fd, gid_t *groups, int count);

// -EAGAIN when there is nothing to read, or no room. 0 from receive is the end.
long clinux_unix_receive(int fd, void *buffer, size_t count);
// Never raises SIGPIPE.
long clinux_unix_send(int fd, const void *bytes, size_t count);

// 1 when the other end is closed, and not only done with writing.
int clinux_unix_is_gone(int fd);
