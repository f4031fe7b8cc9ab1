import Glibc
import Synchronization

/// The copies that have to be removed when the process ends while they are in use. What kills the process outright
/// leaves them in the folder for temporary files.
enum TemporaryCopies {
    private static let paths = Mutex<Set<String>>([])
    private static let isRegistered: Bool = atexit { TemporaryCopies.removeAll() } == 0

    static func add(_ path: String) {
        _ = isRegistered
        _ = paths.withLock { $0.insert(path) }
    }

    static func remove(_ path: String) {
        unlink(path)
        _ = paths.withLock { $0.remove(path) }
    }

    private static func removeAll() {
        for path in paths.withLock({ $0 }) { unlink(path) }
    }
}
