// Processes by descriptor, which the Glibc module does not have. Answers zero or more, or the error's number negated.
#pragma once
#include <spawn.h>
#include <sys/types.h>

struct clinux_exit {
    pid_t pid;
    // A CLD_... code, and what goes with it: the exit code, or the signal.
    int code;
    int status;
};

int clinux_pidfd_open(pid_t pid);
int clinux_pidfd_signal(int pidfd, int number);
// 1 when it has ended, 0 when it runs. `keep` leaves it to be waited for again.
int clinux_pidfd_wait(int pidfd, int keep, struct clinux_exit *found);
// The same for a child by its number, waiting for its end.
int clinux_child_wait(pid_t pid);
// The process's environment, a list that ends with NULL.
char **clinux_environment(void);

// What the Glibc module does not show of <spawn.h>. Answer zero, or the error's number.
int clinux_spawn_directory(posix_spawn_file_actions_t *actions, const char *path);
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
