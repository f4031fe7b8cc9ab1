#define _GNU_SOURCE
#include "signal_take.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// Written while nobody has the signal's handler, which alone reads them.
static struct sigaction before[65];
static _Atomic pid_t reader, process;
static _Atomic uint32_t lost[65];
// From before the handler is there until after it was given back.
static _Atomic bool taken[65];
// So many handlers are handing a signal on just now.
static _Atomic int handing;
// Whether the handler that was there before runs on this thread, called by ours: it may call ours again.
static _Thread_local bool is_calling;

// Stands before every code that is written down; far from those the system uses.
static const int disguise = -0x10000;

// A child made by fork alone has the handler and no thread that reads: there the signal does what it did before.
static void act_as_before(int number) {
    sigaction(number, &before[number], NULL);
    raise(number);
}

static int is_ours(const struct sigaction *action);

// Given back since this began, or called by a handler that was installed over ours and stays: nobody reads the signal any more.
static void do_as_before(int number, const struct sigaction *action, siginfo_t *info, void *context) {
    struct sigaction present;
    // That handler has put ours back meanwhile.
    if (sigaction(number, NULL, &present) == 0 && is_ours(&present)) sigaction(number, action, NULL);
    if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN) return;
    if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL) {
        // Sent to this very thread it may stay as it is, and it happens when this returns; not if that would call us again.
        if (sigaction(number, NULL, &present) == 0 && present.sa_handler == SIG_DFL)
            syscall(SYS_rt_tgsigqueueinfo, process, clinux_thread_id(), number, info);
    } else if (!is_calling) {
        is_calling = true;
        if (action->sa_flags & SA_SIGINFO) action->sa_sigaction(number, info, context);
        else action->sa_handler(number);
        is_calling = false;
    }
}

// Only calls that are safe in a signal handler.
static void hand_on(int number, siginfo_t *info, void *context) {
    int saved = errno;
    if (getpid() != process) {
        act_as_before(number);
    } else {
        atomic_fetch_add(&handing, 1);
        // Whatever is installed now: a handler over ours hands on to it.
        if (!taken[number]) {
            const struct sigaction action = before[number];
            atomic_fetch_sub(&handing, 1);
            do_as_before(number, &action, info, context);
            errno = saved;
            return;
        }
        siginfo_t copy = *info;
        // The kernel lets no thread send another one what looks like kill's, tgkill's or its own; so the code is
        // disguised. Process, user and value are kept: the kernel has them in the same places whatever the code.
        if (copy.si_code >= 0 || copy.si_code == SI_TKILL) copy.si_code = disguise - (copy.si_code - SI_TKILL);
        if (syscall(SYS_rt_tgsigqueueinfo, process, reader, number, &copy) != 0) lost[number]++;
        // The reader itself lets signals through that were given back, and one may have been taken again since. It waits there, and does
        // not come here again at once.
        if (context != NULL && clinux_thread_id() == reader) sigaddset(&((ucontext_t *)context)->uc_sigmask, number);
        atomic_fetch_sub(&handing, 1);
    }
    errno = saved;
}

int clinux_signal_code(int code) { return code <= disguise ? disguise - code + SI_TKILL : code; }

static int is_ours(const struct sigaction *action) {
    return action->sa_flags & SA_SIGINFO && action->sa_sigaction == hand_on;
}

int clinux_signal_take(int number, pid_t thread) {
    reader = thread;
    process = getpid();
    struct sigaction present;
    if (sigaction(number, NULL, &present) != 0) return -errno;
    if (is_ours(&present)) {
        taken[number] = true;
        return 0;
    }
    before[number] = present;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = hand_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    // Whoever ignores SIGCHLD, or asks for it, has no zombies; so it stays.
    if (number == SIGCHLD) {
        action.sa_flags |= present.sa_flags & (SA_NOCLDWAIT | SA_NOCLDSTOP);
        if (!(present.sa_flags & SA_SIGINFO) && present.sa_handler == SIG_IGN) action.sa_flags |= SA_NOCLDWAIT;
    }
    // One after the other, so that those that reach the same thread stay in order.
    sigfillset(&action.sa_mask);
    taken[number] = true;
    if (sigaction(number, &action, NULL) == 0) return 0;
    int code = errno;
    taken[number] = false;
    return -code;
}

void clinux_signal_give_back(int number) {
    struct sigaction present;
    if (sigaction(number, NULL, &present) == 0 && is_ours(&present)) sigaction(number, &before[number], NULL);
    taken[number] = false;
    // Those that began before that have then handed theirs on, so that it is found where it waits; those that begin now
    // see that it was given back. A child made by fork has none of these handlers, whatever the number says.
    while (getpid() == process && atomic_load(&handing) > 0) sched_yield();
}

uint32_t clinux_signal_lost(int number) { return lost[number] == 0 ? 0 : atomic_exchange(&lost[number], 0); }

pid_t clinux_thread_id(void) { return (pid_t)syscall(SYS_gettid); }
