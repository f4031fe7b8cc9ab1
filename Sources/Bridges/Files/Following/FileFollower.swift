import Bus
import SystemPackage

/// Watches every name that decides which file is at a path, and reports the file's changes.
///
/// Made for one subscription, and used where that is heard; only ``stop()`` may be called from elsewhere.
final class FileFollower: Sendable {
    private struct State: Sendable {
        var walk: PathWalk?
        /// The watch of each directory on the way that has a name of the path.
        var watches: [RawPath: FileWatcher.Token] = [:]
        var file = FollowedFile(nil)
        var isStopped = false
    }

    private static let interest = RawChange.mask(for: Set(FileChange.Kind.allCases))
    /// So often the way may change while it is being looked at, before that is taken as it is; an event follows anyway.
    private static let attempts = 16

    private let path: RawPath
    private let name: FileName
    // Changed where the signal is heard, one event at a time; the lock is for `stop`.
    private let state = Lock(State())

    init(_ path: FilePath) {
        self.path = RawPath(path)
        name = FileName(bytes: self.path.names.last ?? [])
    }

    /// Begins to watch, and remembers the present file.
    func start(_ listener: @escaping @Sendable (RawChange) -> Void) throws(FileWatchError) {
        try watchWay(listener)
        let found = FileIdentity.of(path)
        state.withLock { $0.file = FollowedFile(found) }
    }

    func stop() {
        let watches = state.withLock { state -> [FileWatcher.Token] in
            state.isStopped = true
            defer { state.watches = [:] }
            return Array(state.watches.values)
        }
        for watch in watches { FileWatcher.shared.remove(watch) }
    }

    /// The changes to send for a record.
    func changes(
        after raw: RawChange,
        _ listener: @escaping @Sendable (RawChange) -> Void
    ) throws(FileWatchError) -> FileChange? {
        if raw.isOverflow || raw.isEnding { return try rescan(after: .arrival, listener) }
        switch meaning(of: raw) {
        case .nothing: return nil
        case .content(let kind): return FileChange(kind, name)
        case .name(let event): return try rescan(after: event, listener)
        }
    }

    /// Scans the path and the file anew.
    func rescan(
        after event: FollowedFile.Event,
        _ listener: @escaping @Sendable (RawChange) -> Void
    ) throws(FileWatchError) -> FileChange? {
        try watchWay(listener)
        let found = FileIdentity.of(path)
        return state.withLock { $0.file.rescan(after: event, found) }.map { FileChange($0, name) }
    }

    private enum Meaning {
        case nothing
        case content(FileChange.Kind)
        case name(FollowedFile.Event)
    }

    private func meaning(of raw: RawChange) -> Meaning {
        state.withLock { state -> Meaning in
            guard let walk = state.walk, let kind = raw.kind else { return .nothing }
            let index = walk.steps.lastIndex { step in
                step.name == raw.name && state.watches[step.directory]?.watch == raw.watch
            }
            guard let index else { return .nothing }
            switch kind {
            case .created, .movedTo: return .name(.arrival)
            case .deleted, .movedFrom: return .name(.departure)
            // A directory's or a link's are not the file's.
            default: return walk.isWhole && index == walk.steps.count - 1 ? .content(kind) : .nothing
            }
        }
    }

    /// Walks until the watched way is the way that is found: changes in between are then seen.
    private func watchWay(_ listener: @escaping @Sendable (RawChange) -> Void) throws(FileWatchError) {
        for attempt in 1...Self.attempts {
            let walk = try PathWalk(path)
            if state.withLock({ $0.walk }) == walk, attempt > 1 { return }
            do throws(FileWatchError) {
                try watch(walk, listener)
            } catch {
                // It disappeared between walking and watching; the next walk finds the present state.
                guard case .system(_, .noSuchFileOrDirectory) = error, attempt < Self.attempts else { throw error }
            }
        }
    }

    private func watch(_ walk: PathWalk, _ listener: @escaping @Sendable (RawChange) -> Void) throws(FileWatchError) {
        var watches: [RawPath: FileWatcher.Token] = [:]
        do throws(FileWatchError) {
            for directory in Set(walk.steps.map(\.directory)) {
                watches[directory] = try FileWatcher.shared.add(directory, Self.interest) { $0.forEach(listener) }
            }
        } catch {
            for watch in watches.values { FileWatcher.shared.remove(watch) }
            throw error
        }
        // The new ones first, so that a watch that stays is never without a listener.
        let obsolete = state.withLock { [watches] state -> [FileWatcher.Token] in
            guard !state.isStopped else { return Array(watches.values) }
            defer { state.watches = watches }
            state.walk = walk
            return Array(state.watches.values)
        }
        for watch in obsolete { FileWatcher.shared.remove(watch) }
    }
}
