import JournalBridge
import RecordSources

/// The journal that the options name: that of `--file`, `--directory`, `--root`, `--namespace` or `--merge`, limited
/// to the kinds of `--system` and `--user`.
struct JournalChoice {
    var files: [String] = []
    var directory: String?
    var root: String?
    var namespace: String?
    var isMerged = false
    var kinds: JournalKinds = []

    /// `nil` where nothing names one.
    var source: JournalSource? {
        if !files.isEmpty { return .files(files.flatMap(FilePattern.paths)) }
        guard !kinds.isEmpty else { return place }
        return .kinds(kinds, of: place ?? .system)
    }

    private var place: JournalSource? {
        if let directory { return .directory(directory) }
        // The root of this system is not another root, as for journalctl.
        if let root, root.contains(where: { $0 != "/" }) { return .root(root) }
        if isMerged { return .machines(namespace: namespace) }
        return namespace.map { .namespace($0) } ?? root.map { _ in .system }
    }
}
