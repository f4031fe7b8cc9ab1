#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// glibc knows it from 2.36 on.
#define PIDFD_ID_TYPE ((idtype_t)3)

static int result(long value) { return value < 0 ? -errno : (int)value; }

int clinux_pidfd_open(pid_t pid) { return result(syscall(SYS_pidfd_open, pid, 0)); }

int clinux_pidfd_signal(int pidfd, int number) {
    return result(syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0));
}

int clinux_pidfd_wait(int pidfd, int keep, struct clinux_exit *found) {
    siginfo_t info = {0};
    int error;
    do {
        error = waitid(PIDFD_ID_TYPE, (id_t)pidfd, &info, WEXITED | WNOHANG | (keep ? WNOWAIT : 0));
    } while (error < 0 && errno == EINTR);
    if (error < 0) return -errno;
    if (info.si_pid == 0) return 0;
    found->pid = info.si_pid;
    found->code = info.si_code;
    found->status = info.si_status;
    return 1;
}

int clinux_child_wait(pid_t pid) {
    siginfo_t info;
    int error;
    do {
        error = waitid(P_PID, (id_t)pid, &info, WEXITED);
    } while (error < 0 && errno == EINTR);
    return result(error);
}

char **clinux_environment(void) { return environ; }

int clinux_spawn_directory(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
