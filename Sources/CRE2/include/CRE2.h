#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// A compiled regular expression. Immutable: any number of threads may match with one at the same time.
typedef struct cre2_pattern cre2_pattern;

/// Why a pattern was refused. Both texts are UTF-8, end with NUL and are cut to fit.
typedef struct {
    char reason[160];
    char argument[160];
} cre2_failure;

/// Compiles `length` bytes of UTF-8. NULL when the pattern is refused; `failure` then says why and names the offending part.
/// `max_memory` bounds, in bytes, the program and the state that matching builds up.
cre2_pattern *_Nullable cre2_compile(const void *_Nullable pattern, size_t length, int64_t max_memory,
                                     cre2_failure *failure);

/// Instructions of the compiled program.
int32_t cre2_size(const cre2_pattern *pattern);

/// Whether the pattern matches anywhere in the text. Text that is not UTF-8 is searched too: a malformed byte matches nothing.
bool cre2_matches(const cre2_pattern *pattern, const void *_Nullable text, size_t length);

/// Where the pattern first matches between two offsets of the text, and how long the match is, which may be nothing. What stands before
/// `from` and from `to` on counts for `^`, `$` and `\b`. False when there is no match.
bool cre2_find_match(const cre2_pattern *pattern, const void *_Nullable text, size_t length, size_t from, size_t to,
                     size_t *match_start, size_t *match_length);

/// Whether the part occurs anywhere in the text, byte for byte: what a pattern without any special character comes down to.
bool cre2_contains(const void *text, size_t length, const void *part, size_t part_length);

/// The offset of the part's first occurrence in the text, byte for byte; -1 when there is none.
ptrdiff_t cre2_find(const void *text, size_t length, const void *part, size_t part_length);

void cre2_free(cre2_pattern *pattern);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
