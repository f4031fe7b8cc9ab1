import Glibc

/// A directory that was looked up.
///
/// Looking a path up may take as long as another machine likes; it is done here, for where the watch is added, a lock is
/// held that the event loop waits for.
struct DirectoryPlace: ~Copyable {
    private let path: RawPath
    /// Opened for its place alone: nobody who watches the directory sees that. Negative when that was not possible.
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

    /// Adds a watch to an inotify descriptor; answers its number, or the error's, negated.
    func watch(with inotify: CInt, _ mask: UInt32) -> CInt {
        if handle >= 0 {
            let link = RawPath(bytes: Array("/proc/self/fd/\(handle)".utf8))
            let watch = link.withCString { inotify_add_watch(inotify, $0, mask) }
            // Without a /proc there is only the path.
            if watch >= 0 || errno != ENOENT { return watch >= 0 ? watch : -errno }
        }
        // Where the place could not be had, this says why, unless it was for want of a descriptor.
        let watch = path.withCString { inotify_add_watch(inotify, $0, mask) }
        return watch >= 0 ? watch : -errno
    }
}
