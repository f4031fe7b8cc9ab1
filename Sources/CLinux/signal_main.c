#define _GNU_SOURCE
#include "signal_main.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// dispatch_main, and with it an asynchronous main, ends the main thread by leaving it in sigsuspend with nothing blocked,
// for ever. Every signal would interrupt it there and have to be handed on, and real-time signals would change places
// with those that the reader takes meanwhile. So a handler that interrupted it there does not return while anybody
// listens; it waits, in that thread, with just those signals blocked that are listened to.

// The code of what is sent to the main thread to be held; far from those the system uses.
static const int hold_code = -0x20000;

static _Atomic uint64_t wanted;
// Counts changes of `wanted`, and the last of them that the main thread has seen.
static _Atomic uint32_t changes, seen;
static _Atomic int is_held, is_refused;

static void wait_while(_Atomic uint32_t *word, uint32_t value, const struct timespec *limit) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, limit, NULL, 0);
}

static void wake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

long clinux_sigsuspend_call(void) { return SYS_rt_sigsuspend; }

// Whether the interrupted thread is the main one in Dispatch's sigsuspend: before that, Dispatch blocks all but these,
// and the context holds the mask from before.
static int is_parked(void *context) {
    if (syscall(SYS_gettid) != getpid()) return 0;
    static const int open[] = {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPIPE, SIGPROF, 32, 33};
    sigset_t *blocked = &((ucontext_t *)context)->uc_sigmask;
    for (int number = 1; number < 65; number++) {
        int may_be_open = 0;
        for (unsigned i = 0; i < sizeof open / sizeof *open; i++) may_be_open |= number == open[i];
        // sigismember refuses those of the C library.
        if (!may_be_open && number != SIGKILL && number != SIGSTOP && sigismember(blocked, number) != 1) return 0;
    }
    return 1;
}

static void block_exactly(uint64_t set) {
    sigset_t mask;
    sigemptyset(&mask);
    for (int number = 1; number < 65; number++) {
        if (set >> (number - 1) & 1) sigaddset(&mask, number);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void clinux_main_stay(void *context) {
    if (is_held || wanted == 0 || !is_parked(context)) return;
    is_held = 1;
    while (1) {
        uint32_t change = changes;
        uint64_t set = wanted;
        if (set == 0) is_held = 0;
        block_exactly(set);
        seen = change;
        wake(&seen);
        if (set == 0) return;
        // Other handlers may interrupt this; they run and it goes on.
        while (changes == change) wait_while(&changes, change, NULL);
    }
}

int clinux_main_handle(siginfo_t *info, void *context) {
    if (info->si_code != hold_code || info->si_pid != getpid()) return 0;
    clinux_main_stay(context);
    if (!is_parked(context)) {
        is_refused = 1;
        seen = changes;
        wake(&seen);
    }
    return 1;
}

// It is another thread that waits here, and not for long: the main thread has nothing else to do. Should it be held up
// all the same, signals are handed on until it comes to it.
static void await(uint32_t change) {
    struct timespec limit = {.tv_sec = 0, .tv_nsec = 10000000};
    for (int i = 0; i < 20; i++) {
        uint32_t last = seen;
        if ((int32_t)(last - change) >= 0) return;
        wait_while(&seen, last, &limit);
    }
}

void clinux_main_block(uint64_t set) {
    if (wanted == set) return;
    wanted = set;
    uint32_t change = ++changes;
    if (!is_held) return;
    wake(&changes);
    await(change);
}

int clinux_main_is_held(void) { return is_held; }

int clinux_main_hold(int number) {
    if (is_held) return 1;
    if (is_refused) return 0;
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = number;
    info.si_code = hold_code;
    info.si_pid = getpid();
    uint32_t change = ++changes;
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), number, &info) != 0) return 0;
    await(change);
    return is_held;
}
