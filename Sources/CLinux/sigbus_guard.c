#define _GNU_SOURCE
#include "sigbus_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// initial-exec: the handler must not run into the lazy allocation of a thread-local block.
static __thread volatile sig_atomic_t depth __attribute__((tls_model("initial-exec")));
static __thread volatile uint64_t faults __attribute__((tls_model("initial-exec")));

// Set while a fault that is not the guard's is with the handler that was there before.
static __thread volatile sig_atomic_t passing __attribute__((tls_model("initial-exec")));

static pthread_mutex_t owners = PTHREAD_MUTEX_INITIALIZER;
static unsigned owner_count;
static uintptr_t page_size;
// /proc/self/maps, open while there is an owner: a process that has no descriptor left faults, too.
static int maps = -1;
// The handler from before the guard first came, and the one that it took the place of last.
static struct sigaction first, previous;
static int is_installed;

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

// Whether the address lies in a mapping that is shared, which libsystemd's views of journal files are, and program
// text, libraries and private memory are not. Only calls that are safe in a signal handler; the file is read in small
// pieces by a state machine, since a line may be of any length.
static int in_shared_mapping(uintptr_t address) {
    char buffer[1024];
    off_t offset = 0;
    uintptr_t bounds[2] = {0, 0};
    int part = 0, column = 0, found = 0;
    char flags[4] = {0, 0, 0, 0};
    ssize_t n;
    while (!found && (n = pread(maps, buffer, sizeof buffer, offset)) != 0) {
        if (n < 0) {
            if (errno == EINTR) continue;
            break;
        }
        offset += n;
        for (ssize_t i = 0; i < n && !found; i++) {
            char c = buffer[i];
            if (c == '\n') {
                part = 0;
                bounds[0] = bounds[1] = 0;
            } else if (part < 2) {
                int digit = hex_digit(c);
                if (digit >= 0) {
                    bounds[part] = bounds[part] << 4 | (uintptr_t)digit;
                } else {
                    part++;
                    column = 0;
                }
            } else if (part == 2) {
                if (column < 4) flags[column] = c;
                if (++column == 4) {
                    part = 3;
                    if (address >= bounds[0] && address < bounds[1]) {
                        found = flags[0] == 'r' && flags[3] == 's' ? 1 : -1;
                    }
                }
            }
        }
    }
    return found == 1;
}

static int replace_page(siginfo_t *info) {
    if (depth <= 0 || info->si_code != BUS_ADRERR) return 0;
    uintptr_t address = (uintptr_t)info->si_addr;
    if (!in_shared_mapping(address)) return 0;
    void *page = (void *)(address & ~(page_size - 1));
    if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) return 0;
    faults++;
    return 1;
}

static void handle(int number, siginfo_t *info, void *context);

static int is_ours(const struct sigaction *action) {
    return action->sa_flags & SA_SIGINFO && action->sa_sigaction == handle;
}

// What would have happened without this handler.
static void act(const struct sigaction *action, int number, siginfo_t *info, void *context) {
    // The kernel counts from SI_USER downwards what was sent, and upwards what an access has caused.
    int was_sent = info->si_code <= 0;
    if (action->sa_flags & SA_SIGINFO) {
        action->sa_sigaction(number, info, context);
    } else if (action->sa_handler == SIG_IGN && was_sent) {
        return;
    } else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
        action->sa_handler(number);
    } else {
        // The access is repeated and ends the process, also where the signal is ignored. One that was sent is not repeated by
        // itself.
        signal(SIGBUS, SIG_DFL);
        if (was_sent) raise(SIGBUS);
    }
}

static void handle(int number, siginfo_t *info, void *context) {
    int saved = errno;
    if (!replace_page(info)) {
        // A handler that was installed over this one, and under it again, may pass the fault back.
        const struct sigaction *action = passing ? &first : &previous;
        passing++;
        act(action, number, info, context);
        passing--;
    }
    errno = saved;
}

// Puts the handler in place where it is not. For this signal and these addresses sigaction cannot fail.
static void install(void) {
    struct sigaction present;
    sigaction(SIGBUS, NULL, &present);
    if (is_ours(&present)) return;
    if (!is_installed) first = present;
    is_installed = 1;
    previous = present;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

int clinux_sigbus_acquire(void) {
    pthread_mutex_lock(&owners);
    int result = 0;
    if (owner_count == 0) {
        page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
        maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
        if (maps < 0) result = errno;
    }
    if (result == 0) {
        owner_count++;
        install();
    }
    pthread_mutex_unlock(&owners);
    return result;
}

void clinux_sigbus_renew(void) {
    pthread_mutex_lock(&owners);
    install();
    pthread_mutex_unlock(&owners);
}

void clinux_sigbus_release(void) {
    pthread_mutex_lock(&owners);
    // No thread is in a guard any more, so that no handler reads it.
    if (--owner_count == 0) {
        close(maps);
        maps = -1;
    }
    pthread_mutex_unlock(&owners);
}

void clinux_sigbus_enter(void) { depth++; }
void clinux_sigbus_leave(void) { depth--; }
uint64_t clinux_sigbus_faults(void) { return faults; }
