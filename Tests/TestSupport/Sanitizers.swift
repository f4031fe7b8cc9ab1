import Glibc

/// Whether this runs under Address or Thread Sanitizer, whose allocators do not give the same address again soon and keep what
/// is freed, so that a process grows.
package let isSanitized = hasThreadSanitizer || dlsym(nil, "__asan_init") != nil

/// Whether this runs under Thread Sanitizer.
package let hasThreadSanitizer = dlsym(nil, "__tsan_init") != nil

/// What a process that is given an environment of its own needs besides, to know what is no leak.
package var sanitizerOptions: [String: String] {
    var options: [String: String] = [:]
    for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
        if let value = getenv(name) { options[name] = String(cString: value) }
    }
    return options
}
