#define _GNU_SOURCE
#include "loop.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : (int)value; }

static uint32_t to_epoll(uint32_t events) {
    return (events & CLINUX_READABLE ? EPOLLIN | EPOLLRDHUP : 0) | (events & CLINUX_WRITABLE ? EPOLLOUT : 0)
        | (events & CLINUX_URGENT ? EPOLLPRI : 0) | (events & CLINUX_ONCE ? EPOLLONESHOT : 0)
        | (events & CLINUX_EDGE ? EPOLLET : 0);
}

static uint32_t from_epoll(uint32_t events) {
    return (events & EPOLLIN ? CLINUX_READABLE : 0) | (events & EPOLLOUT ? CLINUX_WRITABLE : 0)
        | (events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR) ? CLINUX_HANGUP : 0) | (events & EPOLLPRI ? CLINUX_URGENT : 0);
}

int clinux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t id) {
    struct epoll_event event = {.events = to_epoll(events), .data = {.u64 = id}};
    return result(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
}

int clinux_epoll_again(int epoll, int fd, uint32_t events, uint64_t id) {
    struct epoll_event event = {.events = to_epoll(events), .data = {.u64 = id}};
    return result(epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event));
}

int clinux_epoll_remove(int epoll, int fd) { return result(epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL)); }

// The same number on every architecture; older headers lack it.
#ifndef __NR_epoll_pwait2
#define __NR_epoll_pwait2 441
#endif

static int wait_for(int epoll, struct epoll_event *events, int count, int64_t nanoseconds) {
    if (nanoseconds <= 0) return epoll_wait(epoll, events, count, nanoseconds < 0 ? -1 : 0);
    // As the kernel has it, whatever the size of the C library's time_t is.
    struct {
        int64_t seconds, nanoseconds;
    } timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    int found = (int)syscall(__NR_epoll_pwait2, epoll, events, count, &timeout, NULL, 0);
    if (found >= 0 || (errno != ENOSYS && errno != EPERM)) return found;
    int64_t milliseconds = (nanoseconds + 999999) / 1000000;
    return epoll_wait(epoll, events, count, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds);
}

int clinux_epoll_wait(int epoll, struct clinux_ready *ready, int count, int64_t nanoseconds) {
    struct epoll_event events[64];
    if (count > 64) count = 64;
    int found;
    do {
        found = wait_for(epoll, events, count, nanoseconds);
    } while (found < 0 && errno == EINTR);
    for (int i = 0; i < found; i++) {
        ready[i].id = events[i].data.u64;
        ready[i].events = from_epoll(events[i].events);
    }
    return result(found);
}

int clinux_eventfd_create(void) { return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_eventfd_signal(int eventfd) {
    uint64_t one = 1;
    ssize_t written;
    do {
        written = write(eventfd, &one, sizeof one);
    } while (written < 0 && errno == EINTR);
    // Full means that it is ready already.
    return written < 0 && errno == EAGAIN ? 0 : result(written);
}

int clinux_timerfd_create(int clock) { return result(timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK)); }

int clinux_timerfd_arm(int timerfd, int64_t nanoseconds, int report_set) {
    // Zero would disarm it, and the kernel refuses a negative time.
    if (nanoseconds < 1) nanoseconds = 1;
    struct itimerspec time = {.it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    int flags = TFD_TIMER_ABSTIME | (report_set ? TFD_TIMER_CANCEL_ON_SET : 0);
    return result(timerfd_settime(timerfd, flags, &time, NULL));
}

int clinux_timerfd_clear(int timerfd) {
    uint64_t expirations;
    ssize_t count;
    do {
        count = read(timerfd, &expirations, sizeof expirations);
    } while (count < 0 && errno == EINTR);
    return count < 0 && errno == EAGAIN ? 0 : result(count);
}

void clinux_release_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void clinux_give_back_large_blocks(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 64 << 10);
#endif
}
