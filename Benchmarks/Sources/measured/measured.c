// Runs a command and writes to descriptor 3: exit status, wall ns, user us, system us, peak resident KiB.
//
// A program of its own because the kernel counts towards a command's peak what the process that started it held: this
// one holds next to nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: measured COMMAND [ARGUMENT...] 3>FILE\n", stderr);
        return 2;
    }
    long long start = now();
    pid_t child = fork();
    if (child < 0) {
        perror("measured: fork");
        return 2;
    }
    if (child == 0) {
        close(3);
        execvp(argv[1], argv + 1);
        fprintf(stderr, "measured: cannot run %s: %s\n", argv[1], strerror(errno));
        _exit(127);
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno == EINTR) continue;
        perror("measured: wait4");
        return 2;
    }
    long long wall = now() - start;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    dprintf(3, "%d %lld %lld %lld %ld\n", code, wall, microseconds(usage.ru_utime), microseconds(usage.ru_stime),
            usage.ru_maxrss);
    return 0;
}
