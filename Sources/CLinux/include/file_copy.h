#pragma once
// Not in the Glibc module.
#include <sys/sendfile.h>

/// Makes a file from the template, as mkstemp does, that is closed in programs started meanwhile. Answers -1 and errno on failure.
int clinux_make_temporary(char *template_path);
