import Glibc

/// Whether this runs under Address or Thread Sanitizer. Their allocators delay the reuse of addresses and keep freed
/// memory, so a process grows.
package let isSanitized = hasThreadSanitizer || dlsym(nil, "__asan_init") != nil

/// Whether this runs under Thread Sanitizer.
package let hasThreadSanitizer = dlsym(nil, "__tsan_init") != nil

/// The additional variables that a process with its own environment needs to recognize what is no leak.
package var sanitizerOptions: [String: String] {
    var options: [String: String] = [:]
    for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
        if let value = getenv(name) { options[name] = String(cString: value) }
    }
    return options
}
