#define _GNU_SOURCE
#include "CNcurses.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int noted_signals[] = {SIGTSTP, SIGCONT, SIGWINCH};
static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
static const int crash_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before[65];
static struct termios settings;
static int has_settings, terminal = -1, wake = -1;
static const char *farewell;
static _Atomic unsigned noted;
// The terminal is drawn on. The thread that changes it to false leaves the terminal.
static _Atomic bool is_entered;

static void note(int number) {
    int saved = errno;
    atomic_fetch_or(&noted, number == SIGTSTP ? CNCURSES_STOP : number == SIGCONT ? CNCURSES_CONTINUE : CNCURSES_RESIZE);
    eventfd_write(wake, 1);
    errno = saved;
}

int cncurses_session_is_foreground(void) {
    pid_t group = tcgetpgrp(terminal);
    // It fails for a terminal that does not control the process.
    return group < 0 || group == getpgrp();
}

// Past the library, which knows nothing of what these texts do. A terminal that takes none is gone.
static void say(const char *text) {
    if (text != NULL) (void)!write(terminal, text, strlen(text));
}

static void leave(void) {
    if (!cncurses_session_is_foreground() || !atomic_exchange(&is_entered, false)) return;
    say(farewell);
    endwin();
}

// What was to happen for the signal happens when this returns.
static void end(int number) {
    sigaction(number, &before[number], NULL);
    leave();
    raise(number);
}

static void take(int number, void (*handler)(int), bool if_default) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, present;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &present) != 0) return;
    if (if_default && (present.sa_flags & SA_SIGINFO || present.sa_handler != SIG_DFL)) return;
    before[number] = present;
    sigaction(number, &action, NULL);
}

static void give_back(int number, void (*handler)(int)) {
    struct sigaction present;
    if (sigaction(number, NULL, &present) != 0 || present.sa_flags & SA_SIGINFO || present.sa_handler != handler) return;
    sigaction(number, &before[number], NULL);
}

void cncurses_session_begin(int open_terminal, int eventfd) {
    terminal = open_terminal;
    wake = eventfd;
    has_settings = tcgetattr(terminal, &settings) == 0;
    atomic_store(&noted, 0);
    // A shell without job control may have had SIGTSTP ignored.
    for (size_t i = 0; i < COUNT(noted_signals); i++) take(noted_signals[i], note, noted_signals[i] == SIGTSTP);
    for (size_t i = 0; i < COUNT(ending_signals); i++) take(ending_signals[i], end, true);
    // Swift's backtraces come afterwards.
    for (size_t i = 0; i < COUNT(crash_signals); i++) take(crash_signals[i], end, false);
}

void cncurses_session_end(void) {
    atomic_store(&is_entered, false);
    for (size_t i = 0; i < COUNT(noted_signals); i++) give_back(noted_signals[i], note);
    for (size_t i = 0; i < COUNT(ending_signals); i++) give_back(ending_signals[i], end);
    for (size_t i = 0; i < COUNT(crash_signals); i++) give_back(crash_signals[i], end);
}

void cncurses_session_enter(const char *greeting, const char *text) {
    farewell = text;
    atomic_store(&is_entered, true);
    say(greeting);
}

void cncurses_session_lock(void) { pthread_mutex_lock(&mutex); }
void cncurses_session_unlock(void) { pthread_mutex_unlock(&mutex); }
void cncurses_session_leave(void) { leave(); }

void cncurses_session_abandon(void) {
    if (!atomic_load(&is_entered)) return;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 100000000;
    if (limit.tv_nsec >= 1000000000) {
        limit.tv_sec++;
        limit.tv_nsec -= 1000000000;
    }
    if (pthread_mutex_timedlock(&mutex, &limit) == 0) {
        leave();
    } else if (has_settings && cncurses_session_is_foreground()) {
        tcsetattr(terminal, TCSANOW, &settings);
    }
}

unsigned cncurses_session_signals(void) { return atomic_exchange(&noted, 0); }

void cncurses_session_stop(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL}, present;
    sigset_t stop, mask;
    sigemptyset(&standard.sa_mask);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    if (sigaction(SIGTSTP, &standard, &present) != 0) return;
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &present, NULL);
    // Otherwise the screen would be left and drawn a second time. Another thread may note SIGCONT, and just after this.
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < 100 && !(atomic_fetch_and(&noted, ~CNCURSES_CONTINUE) & CNCURSES_CONTINUE); i++) nanosleep(&pause, NULL);
}
