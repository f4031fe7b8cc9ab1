import Glibc

/// Whether this runs under Address or Thread Sanitizer, whose allocators do not give the same address again soon and keep what
/// is freed, so that a process grows.
package let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
