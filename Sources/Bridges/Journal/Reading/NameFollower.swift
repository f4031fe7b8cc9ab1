import Glibc

/// Notices when another file stands under a name that is being followed.
struct NameFollower {
    private struct Identity: Equatable {
        var device: dev_t
        var inode: ino_t
    }

    private var known: [(path: String, identity: Identity?)] = []
    private var lookedAt: UInt64 = 0

    /// Between two looks, in microseconds. What a rotated file still holds is read meanwhile.
    private static let interval: UInt64 = 250_000

    init() {}

    init(_ source: JournalSource, follow: Bool) {
        guard follow, case .files(let paths) = source else { return }
        known = paths.map { ($0, Self.identity(of: $0)) }
    }

    /// Whether a name has changed hands since the last look. A name that is gone for the moment has not.
    mutating func hasChanged() -> Bool {
        guard !known.isEmpty else { return false }
        let now = Clocks.monotonic()
        guard now &- lookedAt >= Self.interval else { return false }
        lookedAt = now
        return known.contains { known in
            Self.identity(of: known.path).map { $0 != known.identity } ?? false
        }
    }

    private static func identity(of path: String) -> Identity? {
        // A file in which there is no entry yet may not be complete, and need not be read.
        guard let header = try? JournalFileHeader.check(path), header.entryCount > 0 else { return nil }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }
}
