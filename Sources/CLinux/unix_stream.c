#define _GNU_SOURCE
#include "unix_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// The same number on every architecture but those that Swift does not know; older headers lack it.
#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

static int result(long value) { return value < 0 ? -errno : (int)value; }

static int to_address(const char *path, size_t length, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length == 0 || length > CLINUX_UNIX_PATH) return -ENAMETOOLONG;
    memcpy(address->sun_path, path, length);
    return 0;
}

int clinux_unix_bind(const char *path, size_t length, mode_t mode) {
    struct sockaddr_un address;
    int failure = to_address(path, length, &address);
    if (failure < 0) return failure;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    // The file takes its mode from the socket, so that there is no moment in which others may connect.
    if (fchmod(fd, mode) < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        failure = -errno;
        close(fd);
        return failure;
    }
    return fd;
}

int clinux_unix_connect(const char *path, size_t length) {
    struct sockaddr_un address;
    int failure = to_address(path, length, &address);
    if (failure < 0) return failure;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    int connected;
    do {
        connected = connect(fd, (struct sockaddr *)&address, sizeof address);
    } while (connected < 0 && errno == EINTR);
    if (connected == 0) return fd;
    failure = -errno;
    close(fd);
    return failure;
}

int clinux_unix_is_live(const char *path, size_t length) {
    int fd = clinux_unix_connect(path, length);
    if (fd >= 0) close(fd);
    // A queue that is full has somebody who listens.
    if (fd >= 0 || fd == -EAGAIN) return 1;
    return fd == -ECONNREFUSED || fd == -ENOENT ? 0 : fd;
}

static int option(int fd, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(fd, SOL_SOCKET, name, &value, &size) < 0 ? -errno : value;
}

int clinux_unix_is_listener(int fd) {
    return option(fd, SO_DOMAIN) == AF_UNIX && option(fd, SO_TYPE) == SOCK_STREAM && option(fd, SO_ACCEPTCONN) == 1;
}

int clinux_unix_set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -errno;
    return result(fcntl(fd, F_SETFL, flags | O_NONBLOCK));
}

int clinux_unix_accept(int fd) {
    int accepted;
    do {
        accepted = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    } while (accepted < 0 && (errno == EINTR || errno == ECONNABORTED));
    return result(accepted);
}

int clinux_unix_peer(int fd, struct clinux_peer *peer) {
    struct ucred found;
    socklen_t size = sizeof found;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &found, &size) < 0) return -errno;
    peer->pid = found.pid;
    peer->uid = found.uid;
    peer->gid = found.gid;
    return 0;
}

int clinux_unix_peer_groups(int fd, gid_t *groups, int count) {
    socklen_t size = (socklen_t)count * sizeof *groups;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0) return -errno;
    return (int)(size / sizeof *groups);
}

long clinux_unix_receive(int fd, void *buffer, size_t count) {
    ssize_t received;
    do {
        received = recv(fd, buffer, count, MSG_DONTWAIT);
    } while (received < 0 && errno == EINTR);
    return received < 0 ? -errno : received;
}

long clinux_unix_send(int fd, const void *bytes, size_t count) {
    ssize_t sent;
    do {
        sent = send(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

int clinux_unix_is_gone(int fd) {
    struct pollfd look = {.fd = fd, .events = 0};
    int found;
    do {
        found = poll(&look, 1, 0);
    } while (found < 0 && errno == EINTR);
    return found > 0 && (look.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}
