// The bare pass over the files, and the bare libsystemd loops, that the journal reader is measured against.
//
//   journal-floor DIRECTORY pass NEEDLE        print the messages that contain NEEDLE, looking at each stored value once
//   journal-floor DIRECTORY message NEEDLE     print the messages that contain NEEDLE, looking at each entry
//   journal-floor DIRECTORY match FIELD=VALUE  print the messages that the index yields
//   journal-floor DIRECTORY fields             look at every field of every entry
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-journal.h>

#include "pass.h"

static const size_t prefix = sizeof "MESSAGE=" - 1;

static int fail(const char *what, int code) {
    fprintf(stderr, "journal-floor: %s: %s\n", what, strerror(-code));
    return 2;
}

static void print_message(const char *data, size_t length) {
    fwrite(data + prefix, 1, length - prefix, stdout);
    putchar('\n');
}

static int scan_messages(sd_journal *journal, const char *needle) {
    size_t needle_length = strlen(needle);
    int more;
    while ((more = sd_journal_next(journal)) > 0) {
        const void *data;
        size_t length;
        if (sd_journal_get_data(journal, "MESSAGE", &data, &length) < 0) continue;
        if (memmem((const char *)data + prefix, length - prefix, needle, needle_length)) print_message(data, length);
    }
    return more;
}

static int print_matching(sd_journal *journal, const char *term) {
    int more = sd_journal_add_match(journal, term, 0);
    if (more < 0) return more;
    while ((more = sd_journal_next(journal)) > 0) {
        const void *data;
        size_t length;
        if (sd_journal_get_data(journal, "MESSAGE", &data, &length) >= 0) print_message(data, length);
    }
    return more;
}

static int read_fields(sd_journal *journal) {
    uint64_t bytes = 0;
    int more;
    while ((more = sd_journal_next(journal)) > 0) {
        const void *data;
        size_t length;
        SD_JOURNAL_FOREACH_DATA(journal, data, length) bytes += length;
    }
    printf("%llu\n", (unsigned long long)bytes);
    return more;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: journal-floor DIRECTORY pass NEEDLE | message NEEDLE | match FIELD=VALUE | fields\n", stderr);
        return 2;
    }
    if (!strcmp(argv[2], "pass") && argc == 4) {
        int code = pass_directory(argv[1], argv[3]);
        return code < 0 ? fail("cannot read the files", code) : 0;
    }
    sd_journal *journal;
    int code = sd_journal_open_directory(&journal, argv[1], 0);
    if (code < 0) return fail("cannot open the directory", code);
    sd_journal_set_data_threshold(journal, 0);
    if (!strcmp(argv[2], "message") && argc == 4) {
        code = scan_messages(journal, argv[3]);
    } else if (!strcmp(argv[2], "match") && argc == 4) {
        code = print_matching(journal, argv[3]);
    } else if (!strcmp(argv[2], "fields") && argc == 3) {
        code = read_fields(journal);
    } else {
        fputs("journal-floor: no such job\n", stderr);
        return 2;
    }
    if (code < 0) return fail("cannot read the journal", code);
    sd_journal_close(journal);
    return 0;
}
