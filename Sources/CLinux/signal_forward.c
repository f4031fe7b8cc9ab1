#define _GNU_SOURCE
#include "signal_forward.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic pid_t thread;

// Stands before every code that is written down; far from those the system uses.
static const int disguise = -0x10000;

// Only calls that are safe in a signal handler.
static void forward(int number, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    siginfo_t copy = *info;
    // The kernel lets no thread send another one what looks like kill's, tgkill's or its own; so the code is disguised.
    // Process, user and value are kept: the kernel has them in the same places whatever the code.
    if (copy.si_code >= 0 || copy.si_code == SI_TKILL) copy.si_code = disguise - (copy.si_code - SI_TKILL);
    syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, number, &copy);
    errno = saved;
}

int clinux_signal_code(int code) { return code <= disguise ? disguise - code + SI_TKILL : code; }

int clinux_signal_forward(int number, pid_t target) {
    thread = target;
    struct sigaction present;
    if (sigaction(number, NULL, &present) != 0) return -errno;
    if (present.sa_flags & SA_SIGINFO || present.sa_handler != SIG_DFL) return 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    // One after the other, so that those that reach the same thread stay in order.
    sigfillset(&action.sa_mask);
    return sigaction(number, &action, NULL) == 0 ? 1 : -errno;
}

void clinux_signal_forward_end(int number) {
    struct sigaction present;
    if (sigaction(number, NULL, &present) != 0) return;
    if (present.sa_flags & SA_SIGINFO && present.sa_sigaction == forward) signal(number, SIG_DFL);
}

pid_t clinux_thread_id(void) { return (pid_t)syscall(SYS_gettid); }
