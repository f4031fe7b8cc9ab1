#include "CVersion.h"

#ifndef CVERSION_COMMIT
#define CVERSION_COMMIT ""
#endif

const char *cversion_commit(void) { return CVERSION_COMMIT; }
