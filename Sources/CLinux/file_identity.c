#define _GNU_SOURCE
#include "file_identity.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int clinux_file_identity(const char *path, struct clinux_identity *identity) {
    struct statx status;
    if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_INO | STATX_BTIME, &status) != 0) return -errno;
    int has_birth = (status.stx_mask & STATX_BTIME) != 0;
    identity->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
    identity->number = status.stx_ino;
    identity->born_seconds = has_birth ? status.stx_btime.tv_sec : 0;
    identity->born_nanoseconds = has_birth ? status.stx_btime.tv_nsec : 0;
    return 0;
}
