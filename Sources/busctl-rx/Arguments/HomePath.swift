import Glibc

/// A path that no shell has read.
enum HomePath {
    /// The path with the home directory in the place of `~` before the first slash.
    static func expanded(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }
}
