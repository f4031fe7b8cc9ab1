#define _GNU_SOURCE
#include "pass.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Offsets and numbers of the journal file format, https://systemd.io/JOURNAL_FILE_FORMAT.
enum {
    INCOMPATIBLE_FLAGS = 12,
    HEADER_SIZE = 88,
    TAIL_OBJECT = 136,
    HEAD_ENTRY_REALTIME = 184,
    SMALLEST_HEADER = 208,
    COMPACT = 16,

    OBJECT_HEADER = 16,
    OBJECT_SIZE = 8,
    DATA = 1,
    COMPRESSED = 1 | 2 | 4,
    PAYLOAD = 64,
    COMPACT_PAYLOAD = 72,
};

static const char field[] = "MESSAGE=";
static const size_t field_length = sizeof field - 1;

struct file {
    const uint8_t *bytes;
    size_t size;
};

static uint64_t read64(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return le64toh(value);
}

static uint32_t read32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return le32toh(value);
}

static void search(const uint8_t *payload, size_t length, const char *needle, size_t needle_length) {
    if (length < field_length || memcmp(payload, field, field_length)) return;
    payload += field_length;
    length -= field_length;
    if (!memmem(payload, length, needle, needle_length)) return;
    fwrite(payload, 1, length, stdout);
    putchar('\n');
}

static int pass_file(struct file file, const char *needle) {
    size_t needle_length = strlen(needle);
    uint64_t payload = read32(file.bytes + INCOMPATIBLE_FLAGS) & COMPACT ? COMPACT_PAYLOAD : PAYLOAD;
    uint64_t tail = read64(file.bytes + TAIL_OBJECT);
    for (uint64_t offset = read64(file.bytes + HEADER_SIZE); offset <= tail;) {
        if (offset + OBJECT_HEADER > file.size) return -EBADMSG;
        const uint8_t *object = file.bytes + offset;
        uint64_t size = read64(object + OBJECT_SIZE);
        if (size < OBJECT_HEADER || size > file.size - offset) return -EBADMSG;
        if (object[0] == DATA && !(object[1] & COMPRESSED) && size > payload) {
            search(object + payload, size - payload, needle, needle_length);
        }
        offset += (size + 7) & ~UINT64_C(7);
    }
    return 0;
}

static int map_file(int directory, const char *name, struct file *file) {
    int descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    struct stat status;
    int code = fstat(descriptor, &status) < 0 ? -errno : status.st_size < SMALLEST_HEADER ? -EBADMSG : 0;
    if (!code) {
        void *bytes = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
        if (bytes == MAP_FAILED) code = -errno;
        *file = (struct file){bytes, status.st_size};
    }
    close(descriptor);
    return code;
}

static int older_first(const void *left, const void *right) {
    uint64_t a = read64(((const struct file *)left)->bytes + HEAD_ENTRY_REALTIME);
    uint64_t b = read64(((const struct file *)right)->bytes + HEAD_ENTRY_REALTIME);
    return (a > b) - (a < b);
}

static int is_journal(const struct dirent *entry) {
    const char *suffix = strrchr(entry->d_name, '.');
    return suffix && !strcmp(suffix, ".journal");
}

int pass_directory(const char *path, const char *needle) {
    struct dirent **names;
    int count = scandir(path, &names, is_journal, alphasort);
    if (count < 0) return -errno;
    // The files stay mapped, and the names allocated, until the process ends.
    struct file *files = calloc(count + 1, sizeof *files);
    if (!files) return -ENOMEM;
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return -errno;
    for (int index = 0; index < count; index++) {
        int code = map_file(directory, names[index]->d_name, &files[index]);
        if (code < 0) return code;
    }
    qsort(files, count, sizeof *files, older_first);
    for (int index = 0; index < count; index++) {
        int code = pass_file(files[index], needle);
        if (code < 0) return code;
    }
    return 0;
}
