#define _GNU_SOURCE
#include "datagram.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// SCM_MAX_FD of the kernel.
#define MOST_DESCRIPTORS 253

static int result(long value) { return value < 0 ? -errno : (int)value; }

int clinux_datagram_socket(void) {
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    // What is on its way counts against the sender. Refused above the system's limit, where less has to do.
    int size = 8 * 1024 * 1024;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    return fd;
}

int clinux_datagram_connect(int fd, const char *name, size_t length) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    // A path needs a zero byte after it, an abstract name must not have one.
    size_t room = sizeof address.sun_path - (length > 0 && name[0] != 0);
    if (length == 0 || length > room) return -ENAMETOOLONG;
    memcpy(address.sun_path, name, length);
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + length + (name[0] != 0);
    int connected;
    do {
        connected = connect(fd, (struct sockaddr *)&address, size);
    } while (connected < 0 && errno == EINTR);
    return result(connected);
}

int clinux_datagram_send(int fd, const struct iovec *parts, int count, const int *descriptors, size_t descriptor_count) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
    } control;
    struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = count};
    if (descriptor_count > MOST_DESCRIPTORS) return -EINVAL;
    if (descriptor_count > 0) {
        size_t size = sizeof(int) * descriptor_count;
        memset(&control, 0, CMSG_SPACE(size));
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(&control.header), descriptors, size);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(size);
    }
    ssize_t sent;
    do {
        sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

static long long now_in_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int clinux_datagram_wait(int fd, int milliseconds) {
    long long end = now_in_milliseconds() + milliseconds;
    struct pollfd entry = {.fd = fd, .events = POLLOUT};
    while (1) {
        long long left = end - now_in_milliseconds();
        int ready = poll(&entry, 1, left > 0 ? (int)left : 0);
        if (ready > 0) return 1;
        if (ready < 0 && errno != EINTR) return -errno;
        if (left <= 0) return 0;
    }
}

static int write_all(int fd, const struct iovec *parts, int count) {
    for (int i = 0; i < count; i++) {
        const char *bytes = parts[i].iov_base;
        size_t left = parts[i].iov_len;
        while (left > 0) {
            ssize_t written = write(fd, bytes, left);
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return -errno;
            bytes += written;
            left -= written;
        }
    }
    return 0;
}

int clinux_sealed_file(const char *name, const struct iovec *parts, int count) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -errno;
    int error = write_all(fd, parts, count);
    if (error == 0 && lseek(fd, 0, SEEK_SET) < 0) error = -errno;
    if (error == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0) error = -errno;
    if (error == 0) return fd;
    close(fd);
    return error;
}
