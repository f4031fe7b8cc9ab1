#define _GNU_SOURCE
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// What a pipe that is ready for writing takes without waiting.
#define SAFE_WRITE 4096

static int is_ready(int fd, short events) {
    struct pollfd descriptor = {.fd = fd, .events = events};
    // An error or hangup counts: the call that follows reports it.
    return poll(&descriptor, 1, 0) != 0;
}

int clinux_descriptor_kind(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0) return -errno;
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode)) return CLINUX_FILE;
    return S_ISSOCK(status.st_mode) ? CLINUX_SOCKET : CLINUX_STREAM;
}

static long read_once(int fd, int *kind, void *buffer, size_t count) {
    switch (*kind) {
    case CLINUX_SOCKET: return recv(fd, buffer, count, MSG_DONTWAIT);
    case CLINUX_STREAM: {
        struct iovec vector = {.iov_base = buffer, .iov_len = count};
        long result = preadv2(fd, &vector, 1, -1, RWF_NOWAIT);
        if (result >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) return result;
        *kind = CLINUX_POLLED;
    }
    // fall through
    case CLINUX_POLLED:
        if (!is_ready(fd, POLLIN)) {
            errno = EAGAIN;
            return -1;
        }
    // fall through
    default: return read(fd, buffer, count);
    }
}

long clinux_read_now(int fd, int *kind, void *buffer, size_t count) {
    long result;
    do {
        result = read_once(fd, kind, buffer, count);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

static long write_stream(int fd, int *kind, const void *bytes, size_t count) {
    if (*kind == CLINUX_STREAM) {
        struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
        long result = pwritev2(fd, &vector, 1, -1, RWF_NOWAIT);
        if (result >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) return result;
        *kind = CLINUX_POLLED;
    }
    if (*kind == CLINUX_POLLED) {
        if (!is_ready(fd, POLLOUT)) {
            errno = EAGAIN;
            return -1;
        }
        if (count > SAFE_WRITE) count = SAFE_WRITE;
    }
    return write(fd, bytes, count);
}

// The signal is raised in the writing thread, so it is blocked there and taken back before it could be noticed.
static long write_quietly(int fd, int *kind, const void *bytes, size_t count) {
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    long result = write_stream(fd, kind, bytes, count);
    int error = errno;
    if (result < 0 && error == EPIPE && !was_pending) {
        struct timespec at_once = {0};
        while (sigtimedwait(&pipe_signal, NULL, &at_once) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return result;
}

long clinux_write_now(int fd, int *kind, const void *bytes, size_t count) {
    long result;
    do {
        result = *kind == CLINUX_SOCKET ? send(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL)
                                        : write_quietly(fd, kind, bytes, count);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

int clinux_duplicate(int fd) {
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return copy < 0 ? -errno : copy;
}

// A standard descriptor that is closed here must not become an end: the child would overwrite it with another.
static int above_standard(int fd) {
    if (fd > 2) return fd;
    int copy = clinux_duplicate(fd);
    close(fd);
    return copy;
}

int clinux_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
    ends[0] = above_standard(ends[0]);
    ends[1] = above_standard(ends[1]);
    if (ends[0] >= 0 && ends[1] >= 0) {
        *reading = ends[0];
        *writing = ends[1];
        return 0;
    }
    int error = ends[0] < 0 ? ends[0] : ends[1];
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
    return error;
}

int clinux_waiting(int fd) {
    int count = 0;
    return ioctl(fd, FIONREAD, &count) != 0 ? -errno : count;
}

int clinux_unshare_descriptors(void) { return unshare(CLONE_FILES) < 0 ? -errno : 0; }
