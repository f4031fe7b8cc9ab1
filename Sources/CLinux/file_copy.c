#define _GNU_SOURCE
#include "file_copy.h"

#include <fcntl.h>
#include <stdlib.h>

int clinux_make_temporary(char *template_path) { return mkostemp(template_path, O_CLOEXEC); }
