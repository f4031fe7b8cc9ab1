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

static struct sigaction previous;
static uintptr_t page_size;
static int install_error;

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

// Whether the address lies in a mapping that is shared, which libsystemd's views of journal files are, and program
// text, libraries and private memory are not. Only calls that are safe in a signal handler; the file is read in small
// pieces by a state machine, since a line may be of any length.
static int in_shared_mapping(uintptr_t address) {
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    char buffer[1024];
    uintptr_t bounds[2] = {0, 0};
    int part = 0, column = 0, found = 0;
    char flags[4] = {0, 0, 0, 0};
    ssize_t n;
    while (!found && (n = read(fd, buffer, sizeof buffer)) != 0) {
        if (n < 0) {
            if (errno == EINTR) continue;
            break;
        }
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
    close(fd);
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

static void handle(int number, siginfo_t *info, void *context) {
    int saved = errno;
    int replaced = replace_page(info);
    errno = saved;
    if (replaced) return;
    if (previous.sa_flags & SA_SIGINFO) {
        previous.sa_sigaction(number, info, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(number);
    } else {
        // What would have happened without this handler: the access is repeated and ends the process. A signal that was
        // sent, not caused by an access, is not repeated by itself.
        signal(SIGBUS, SIG_DFL);
        if (info->si_code <= 0) raise(SIGBUS);
    }
}

static void install(void) {
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, &action, &previous) != 0) install_error = errno;
}

int sigbus_guard_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return install_error;
}

void sigbus_guard_enter(void) { depth++; }
void sigbus_guard_leave(void) { depth--; }
uint64_t sigbus_guard_faults(void) { return faults; }
