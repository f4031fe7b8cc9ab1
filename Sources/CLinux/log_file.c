#define _GNU_SOURCE
#include "log_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/uio.h>
#include <sys/vfs.h>

long clinux_last_index(const void *bytes, size_t count, int byte) {
    const char *found = count == 0 ? NULL : memrchr(bytes, byte, count);
    return found == NULL ? -1 : found - (const char *)bytes;
}

long clinux_read_at(int fd, void *before, size_t before_count, void *buffer, size_t count, int64_t offset) {
    struct iovec parts[2] = {{.iov_base = before, .iov_len = before_count}, {.iov_base = buffer, .iov_len = count}};
    long result;
    do {
        result = preadv(fd, parts, 2, offset);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

int clinux_tells_of_writers(int fd) {
    struct statfs status;
    if (fstatfs(fd, &status) != 0) return 0;
    // linux/magic.h does not have all of them.
    switch ((uint32_t)status.f_type) {
    case 0x6969:      // NFS
    case 0x517b:      // SMB
    case 0xff534d42:  // CIFS
    case 0xfe534d42:  // SMB2
    case 0x01021997:  // 9P
    case 0x65735546:  // FUSE
    case 0x5346414f:  // AFS
    case 0x6b414653:  // kAFS
    case 0x73757245:  // Coda
    case 0x00c36400:  // Ceph
    case 0x0bd00bd0:  // Lustre
    case 0x7461636f:  // OCFS2
    case 0x01161970:  // GFS2
    case 0x47504653:  // GPFS
    case 0x786f4256:  // VirtualBox
    case 0xbacbacbc:  // VMware
    case 0x9fa0:      // proc
    case 0x62656572:  // sysfs
    case 0x64626720:  // debugfs
    case 0x74726163:  // tracefs
    case 0x63677270:  // cgroup2
    case 0x27e0eb:    // cgroup
        return 0;
    default: return 1;
    }
}

int clinux_watch_open_file(int inotify, int fd, uint32_t mask) {
    char path[48];
    // Not /proc/self: this thread may have a table of descriptors of its own.
    snprintf(path, sizeof path, "/proc/thread-self/fd/%d", fd);
    int watch = inotify_add_watch(inotify, path, mask);
    return watch < 0 ? -errno : watch;
}
