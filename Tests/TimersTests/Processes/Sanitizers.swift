import Glibc

/// Whether this runs under Address or Thread Sanitizer, which change what things weigh.
let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
