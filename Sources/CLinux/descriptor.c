#define _GNU_SOURCE
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

int clinux_is_ready(int fd, int is_writing) {
    struct pollfd descriptor = {.fd = fd, .events = is_writing ? POLLOUT : POLLIN};
    // An error or hangup counts: the call that follows reports it.
    return poll(&descriptor, 1, 0) != 0;
}

// Readiness is not enough to go by: another process may be faster, and a terminal that is ready need not take the whole.
static int may_wait(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && !(flags & O_NONBLOCK);
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
        *kind = CLINUX_WAITING;
    }
    // fall through
    case CLINUX_WAITING:
        if (may_wait(fd)) {
            errno = EOPNOTSUPP;
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
        *kind = CLINUX_WAITING;
    }
    if (*kind == CLINUX_WAITING && may_wait(fd)) {
        errno = EOPNOTSUPP;
        return -1;
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

// Whether opening it anew gives the same file: a pty's master gives another pty, and an open device often has a state that a
// new one lacks. A terminal that was hung up is none any more, and is not to be opened for its next user.
static int can_be_reopened(int fd, const struct stat *status) {
    unsigned pty;
    if (S_ISFIFO(status->st_mode)) return 1;
    return S_ISCHR(status->st_mode) && isatty(fd) && ioctl(fd, TIOCGPTN, &pty) != 0;
}

// Zero for what is no terminal. /dev/tty is a name for several.
static unsigned terminal_number(int fd) {
    unsigned number = 0;
    return ioctl(fd, TIOCGDEV, &number) == 0 ? number : 0;
}

int clinux_reopen_nonblocking(int fd) {
    struct stat before, after;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fstat(fd, &before) != 0) return -errno;
    if (!can_be_reopened(fd, &before)) return -EOPNOTSUPP;
    char path[48];
    // Not /proc/self: this thread may have a table of descriptors of its own.
    snprintf(path, sizeof path, "/proc/thread-self/fd/%d", fd);
    int opened = open(path, (flags & (O_ACCMODE | O_DIRECT)) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (opened < 0) return -errno;
    int is_same = fstat(opened, &after) == 0 && before.st_dev == after.st_dev && before.st_ino == after.st_ino &&
                  terminal_number(fd) == terminal_number(opened);
    int result = !is_same ? -ENXIO : dup3(opened, fd, O_CLOEXEC) < 0 ? -errno : 0;
    close(opened);
    return result;
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

int clinux_wait_for_either(int first, short events, int second, int64_t nanoseconds) {
    struct pollfd waited[] = {{.fd = first, .events = events}, {.fd = second, .events = POLLIN}};
    struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    int count = ppoll(waited, 2, nanoseconds < 0 ? NULL : &time, NULL);
    return count < 0 && errno != EINTR ? -errno : 0;
}
