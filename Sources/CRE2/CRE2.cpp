#include "CRE2.h"

#include <re2/re2.h>

#include <cstring>
#include <exception>
#include <memory>

struct cre2_pattern {
    RE2 expression;
    cre2_pattern(re2::StringPiece pattern, const RE2::Options &options) : expression(pattern, options) {}
};

namespace {

// RE2 does not take a null pointer, not even with a length of zero.
re2::StringPiece piece(const void *bytes, size_t length) {
    return bytes == nullptr ? re2::StringPiece("", 0) : re2::StringPiece(static_cast<const char *>(bytes), length);
}

// Copies what fits, never half a UTF-8 sequence.
template <size_t capacity> void copy(const char *text, size_t length, char (&target)[capacity]) {
    if (length >= capacity) {
        length = capacity - 1;
        while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) length--;
    }
    memcpy(target, text, length);
    target[length] = 0;
}

}  // namespace

extern "C" cre2_pattern *cre2_compile(const void *pattern, size_t length, int64_t max_memory, cre2_failure *failure) {
    failure->reason[0] = 0;
    failure->argument[0] = 0;
    try {
        RE2::Options options;
        options.set_encoding(RE2::Options::EncodingUTF8);
        options.set_log_errors(false);
        options.set_max_mem(max_memory);
        auto compiled = std::make_unique<cre2_pattern>(piece(pattern, length), options);
        if (compiled->expression.ok()) return compiled.release();
        const std::string &reason = compiled->expression.error();
        const std::string &argument = compiled->expression.error_arg();
        copy(reason.data(), reason.size(), failure->reason);
        copy(argument.data(), argument.size(), failure->argument);
    } catch (const std::exception &error) {
        copy(error.what(), strlen(error.what()), failure->reason);
    } catch (...) {
        static const char unknown[] = "out of memory";
        copy(unknown, sizeof unknown - 1, failure->reason);
    }
    return nullptr;
}

extern "C" int32_t cre2_size(const cre2_pattern *pattern) { return pattern->expression.ProgramSize(); }

extern "C" bool cre2_matches(const cre2_pattern *pattern, const void *text, size_t length) {
    try {
        re2::StringPiece subject = piece(text, length);
        return pattern->expression.Match(subject, 0, length, RE2::UNANCHORED, nullptr, 0);
    } catch (...) {
        // Only an allocation can throw here. No match is the answer that keeps a filter from selecting what it did not check.
        return false;
    }
}

extern "C" bool cre2_find_match(const cre2_pattern *pattern, const void *text, size_t length, size_t from, size_t to,
                                size_t *match_start, size_t *match_length) {
    try {
        re2::StringPiece subject = piece(text, length), match;
        if (!pattern->expression.Match(subject, from, to, RE2::UNANCHORED, &match, 1)) return false;
        *match_start = (size_t)(match.data() - subject.data());
        *match_length = match.size();
        return true;
    } catch (...) {
        // Only an allocation can throw here.
        return false;
    }
}

// memmem(3) prepares a table for each call, which takes longer than searching a short text. This looks at 16 places at once,
// for the first and the last byte of the part. Where too many of them are no occurrence, memmem goes on: it takes time in
// proportion to the length whatever it is given.
static const void *find(const void *text, size_t length, const void *part, size_t part_length) {
    typedef uint8_t bytes __attribute__((vector_size(16)));
    constexpr size_t width = sizeof(bytes);
    if (part_length < 2 || length < part_length + width) return memmem(text, length, part, part_length);
    const uint8_t *start = static_cast<const uint8_t *>(text), *wanted = static_cast<const uint8_t *>(part);
    const size_t places = length - part_length + 1;
    const bytes first = wanted[0] - bytes{}, last = wanted[part_length - 1] - bytes{};
    size_t compared = 0;
    for (size_t place = 0;;) {
        bytes from, to;
        memcpy(&from, start + place, width);
        memcpy(&to, start + place + part_length - 1, width);
        const bytes hits = (bytes)(from == first) & (bytes)(to == last);
        uint64_t halves[2];
        memcpy(halves, &hits, width);
        for (size_t half = 0; half < 2; half++) {
            // A byte of ones for each hit, the first one lowest.
            uint64_t left = halves[half];
            while (left != 0) {
                const size_t index = (size_t)__builtin_ctzll(left) / 8;
                const uint8_t *candidate = start + place + 8 * half + index;
                if (!memcmp(candidate, wanted, part_length)) return candidate;
                compared += part_length;
                if (compared > length) return memmem(candidate, length - (candidate - start), part, part_length);
                left &= ~((uint64_t)0xFF << (8 * index));
            }
        }
        if (place == places - width) return nullptr;
        // The last 16 places may be looked at twice in part.
        place = place + 2 * width <= places ? place + width : places - width;
    }
}

extern "C" bool cre2_contains(const void *text, size_t length, const void *part, size_t part_length) {
    return find(text, length, part, part_length) != nullptr;
}

extern "C" ptrdiff_t cre2_find(const void *text, size_t length, const void *part, size_t part_length) {
    const void *found = find(text, length, part, part_length);
    return found == nullptr ? -1 : static_cast<const char *>(found) - static_cast<const char *>(text);
}

extern "C" void cre2_free(cre2_pattern *pattern) { delete pattern; }
