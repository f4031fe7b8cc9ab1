#pragma once

/// How many processors the calling thread may use; at least one.
int clinux_usable_processors(void);
