import Glibc

/// Error numbers of the system in words.
package enum SystemError {
    /// `No such file or directory`.
    package static func text(_ code: CInt) -> String {
        // Another thread may change the text that strerror returns.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "unknown error"
            }
            return String(cString: start)
        }
    }

    /// `No such file or directory (error 2)`, for messages about system calls.
    package static func numbered(_ code: CInt) -> String { "\(text(code)) (error \(code))" }
}
