// What reading a growing file takes that the Glibc module does not show.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Where the last of these bytes is that is `byte`; -1 where none is.
long clinux_last_index(const void *bytes, size_t count, int byte);

// Reads from `offset` on, first into `before` until it is full, then into `buffer`, with one call. Answers how many bytes were
// read, or an errno negated; interruption by a signal is retried.
long clinux_read_at(int fd, void *before, size_t before_count, void *buffer, size_t count, int64_t offset);

// Whether inotify tells of all who write to the file: not where other machines or the kernel itself do.
int clinux_tells_of_writers(int fd);

// Watches the open file itself, whatever its names are. Answers the watch's number, or an errno negated.
int clinux_watch_open_file(int inotify, int fd, uint32_t mask);
