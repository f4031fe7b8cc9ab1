public import Bus
public import SystemPackage

extension Signals {
    /// What happens to the files in a directory, not in those below it. Cold: heard from the moment of subscription on.
    ///
    /// ```
    /// echo hi >a    --(create, write, close)-------
    /// mv a b        ------------------------a→b---
    /// changes(in)   --created-modified-closed-from-to--
    /// ```
    ///
    /// What was there before is not told; list the directory after subscribing. A move within the directory is a
    /// `movedFrom` and a `movedTo` with the same cookie, the second of which knows the name before. What is written
    /// through another directory's hard link, through a mapping in memory, or on another machine of a network file
    /// system is not heard: the kernel does not tell.
    ///
    /// The signal is about a path: when the directory is deleted, moved or unmounted it fails, and
    /// `retry(backoff:)` waits for a new one. A symbolic link is followed when it is subscribed to and not later. A
    /// directory that some process still has open tells of its deletion only when that closes it.
    ///
    /// - Ends: never by itself.
    /// - Fails: with ``FileWatchError``, when it is not there, is no directory or may not be read; when the system has no
    ///   more watches or descriptors; when it is gone.
    /// - Cancelling: ends the watch.
    /// - Buffers: at most 16,384 changes, as many as the kernel by default, which keeps its own for all such signals
    ///   together; and those being delivered, which were read together. What finds no room here is counted (`lost`);
    ///   what found none in the kernel is an ``FileChange/Kind/overflow`` and counts as one lost: their number is not
    ///   known.
    /// - Thread: `scheduler`'s.
    ///
    /// - Parameters:
    ///   - directory: its path.
    ///   - interest: which changes; leaving out what is not wanted keeps the kernel from noting it.
    ///   - scheduler: where they are heard.
    @inlinable
    public static func changes(
        in directory: FilePath,
        for interest: Set<FileChange.Kind> = Set(FileChange.Kind.allCases),
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<FileChange, FileWatchError> {
        // Composed where the observer's type is known: elsewhere every event would look up its generic types.
        create(of: ChangeBatch.self, failure: FileWatchError.self) { watch(directory, for: interest, $0) }
            // What feeds this is the thread that all descriptors share, so it must not be made to wait. A batch
            // has one change at least, and their number is what `watch` keeps to.
            .deliver(on: scheduler, limit: watchLimit, overflow: .dropNewest)
            .transduced(by: MovePairing())
            .named("changes(in: \(directory))")
    }

    @usableFromInline static var watchLimit: Int { 16_384 }

    @usableFromInline
    static func watch(
        _ directory: FilePath,
        for interest: Set<FileChange.Kind>,
        _ emitter: Emitter<ChangeBatch, FileWatchError>
    ) -> (any Disposable)? {
        let room = ChangeRoom(limit: watchLimit)
        do throws(FileWatchError) {
            let token = try FileWatcher.shared.add(RawPath(directory), RawChange.mask(for: interest)) { changes in
                if let change = changes.last, change.isEnding {
                    return emitter.failed(.gone(directory, change.loss))
                }
                if changes.last?.isOverflow == true { emitter.lost(1) }
                let admitted = room.enter(changes.count)
                if admitted > 0 { emitter.next(ChangeBatch(Array(changes.prefix(admitted)), in: room)) }
                if admitted < changes.count { emitter.lost(changes.count - admitted) }
            }
            return ActionDisposable { FileWatcher.shared.remove(token) }
        } catch {
            emitter.failed(error)
            return nil
        }
    }
}

/// Makes changes of the kernel's records, and says at a move's end where it began.
///
/// Flushing, so that disposing of the subscription ends it in the middle of a batch.
@usableFromInline
struct MovePairing: FlushingTransducer {
    @usableFromInline typealias Input = ChangeBatch
    @usableFromInline typealias Output = FileChange
    @usableFromInline typealias InputFailure = FileWatchError

    /// Moves whose end may follow. The kernel notes the two together, others at most in between.
    private static var memory: Int { 8 }

    private var begun: [(cookie: UInt32, name: FileName)] = []

    @usableFromInline
    init() {}

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ batch: ChangeBatch,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == FileChange, Downstream.Failure == FileWatchError {
        batch.leave()
        for raw in batch.changes {
            if let change = change(raw), downstream.next(change) == .stop { return .stop }
        }
        return downstream.demand
    }

    /// Nil for what concerns the watch.
    @usableFromInline
    mutating func change(_ raw: RawChange) -> FileChange? {
        guard let kind = raw.kind else { return nil }
        return FileChange(
            kind,
            raw.name,
            previousName: raw.cookie == 0 ? nil : previousName(kind, raw),
            isDirectory: raw.isDirectory,
            cookie: raw.cookie
        )
    }

    private mutating func previousName(_ kind: FileChange.Kind, _ raw: RawChange) -> FileName? {
        if kind == .movedFrom {
            if begun.count == Self.memory { begun.removeFirst() }
            begun.append((raw.cookie, raw.name))
        } else if let index = begun.firstIndex(where: { $0.cookie == raw.cookie }) {
            return begun.remove(at: index).name
        }
        return nil
    }
}
