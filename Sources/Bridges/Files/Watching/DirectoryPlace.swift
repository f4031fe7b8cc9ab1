import Glibc

/// A directory that was looked up.
///
/// Looking up a path may take long, for example on a file system of another machine. It is done here and not where
/// the watch is added, because a lock is held there that the event loop waits for.
struct DirectoryPlace: ~Copyable {
    private let path: RawPath
    /// Opened only for its place: watchers of the directory do not see that. Negative when that was not possible.
    private let handle: CInt

    /// O_PATH, which the Glibc module does not show.
    private static var placeOnly: CInt { 0o10000000 }

    init(_ path: RawPath) {
        self.path = path
        handle = path.withCString { open($0, Self.placeOnly | O_DIRECTORY | O_CLOEXEC) }
    }

    deinit {
        if handle >= 0 { close(handle) }
    }

    /// Adds a watch to an inotify descriptor; returns its number, or the negated error number.
    func watch(with inotify: CInt, _ mask: UInt32) -> CInt {
        if handle >= 0 {
            let link = RawPath(bytes: Array("/proc/self/fd/\(handle)".utf8))
            let watch = link.withCString { inotify_add_watch(inotify, $0, mask) }
            // Without a /proc there is only the path.
            if watch >= 0 || errno != ENOENT { return watch >= 0 ? watch : -errno }
        }
        // If the place could not be opened, this gives the reason, unless it was for want of a descriptor.
        let watch = path.withCString { inotify_add_watch(inotify, $0, mask) }
        return watch >= 0 ? watch : -errno
    }
}
