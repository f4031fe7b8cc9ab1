#pragma once
#include <stdint.h>

/// Which file it is: the same number may be given to another one later, which is told apart by when it was made, where
/// the file system knows.
struct clinux_identity {
    uint64_t device, number;
    int64_t born_seconds, born_nanoseconds;
};

/// Follows links. Answers 0, or an errno negated.
int clinux_file_identity(const char *path, struct clinux_identity *identity);
