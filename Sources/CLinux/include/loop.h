// What an event loop and its timers need of Linux, in a form that Swift can import:
// its Glibc module has neither epoll nor eventfd nor timerfd, and it cannot see the packed epoll_event.
// Every call returns a result of zero or more, or the error's number negated; interruption by a signal is retried.
#pragma once
#include <stdint.h>

// What to wait for, and what came.
#define CLINUX_READABLE 1u
#define CLINUX_WRITABLE 2u
// The other end is gone, or the file has an error; reported whether or not it was asked for.
#define CLINUX_HANGUP 4u
#define CLINUX_URGENT 8u
// Only asked for: what is found ready is not reported again before `clinux_epoll_again`.
#define CLINUX_ONCE 16u
// Only asked for: what is found ready is reported again only when it becomes so anew.
#define CLINUX_EDGE 32u

struct clinux_ready {
    uint64_t id;
    uint32_t events;
};

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t id);
int clinux_epoll_again(int epoll, int fd, uint32_t events, uint64_t id);
int clinux_epoll_remove(int epoll, int fd);
// Waits for so many nanoseconds, rounded up to milliseconds where the kernel is older than 5.11; for ever when that is below
// zero. `count` is at most 64.
int clinux_epoll_wait(int epoll, struct clinux_ready *ready, int count, int64_t nanoseconds);

int clinux_eventfd_create(void);
int clinux_eventfd_signal(int eventfd);

// A timer that is not armed. `clock` is a clockid_t.
int clinux_timerfd_create(int clock);
// Arms it for an absolute time in nanoseconds; a time that has passed, also before zero, expires at once. With `report_set` it
// is ready, too, when CLOCK_REALTIME is set. Answers -ECANCELED, and is armed all the same, when that has happened already.
int clinux_timerfd_arm(int timerfd, int64_t nanoseconds, int report_set);
// Reads it, so that it is not ready any more; nothing to read is no error. Answers -ECANCELED when the clock was set.
int clinux_timerfd_clear(int timerfd);

// Hands free heap memory back to the system, wherever it lies. Takes milliseconds a gigabyte.
void clinux_release_free_memory(void);

// Has the C library hand large blocks back to the system as soon as they are freed, and share two heaps among all threads: for a program whose
// threads come and go with large arrays. To be called before there are threads.
void clinux_give_back_large_blocks(void);
