import Glibc

/// Whether this runs under Address or Thread Sanitizer, whose allocators do not give the same address again soon.
let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
