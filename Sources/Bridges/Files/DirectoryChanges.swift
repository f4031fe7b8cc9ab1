public import Bus
public import SystemPackage

extension Signals {
    /// The changes of the files in a directory, not in those below it. Cold: heard from the moment of subscription
    /// on.
    ///
    /// ```
    /// echo hi >a    --(create, write, close)-------
    /// mv a b        ------------------------a→b---
    /// changes(in)   --created-modified-closed-from-to--
    /// ```
    ///
    /// Existing files are not sent; list the directory after subscribing. A move within the directory is a
    /// `movedFrom` and a `movedTo` with the same cookie, and the second has the previous name. Writes through another
    /// directory's hard link, through a mapping in memory, or on another machine of a network file system are not
    /// heard: the kernel does not report them.
    ///
    /// The signal is about a path: when the directory is deleted, moved or unmounted it fails, and `retry(backoff:)`
    /// waits for a new one. A symbolic link is followed when it is subscribed to and not later. If a process still
    /// has the directory open, its deletion is reported only when that process closes it.
    ///
    /// - Ends: never by itself.
    /// - Fails: with ``FileWatchError``, when it is not there, is no directory or may not be read; when the system
    ///   has no more watches or descriptors; when it is gone.
    /// - Cancelling: ends the watch.
    /// - Pausing: changes wait until the observer is ready. The kernel's queue is read all the same, because all such
    ///   signals share it, and a pausing one must not make the others lose changes.
    /// - Buffers: at most 16,384 changes, as many as the kernel by default, which keeps one queue for all such
    ///   signals; and those being delivered, which were read together. Changes beyond that are counted
    ///   (`lost`). If the kernel's queue overflows, ``FileChange/Kind/overflow`` is sent and counts as one lost: the
    ///   number is unknown.
    /// - Thread: `scheduler`'s.
    ///
    /// - Parameters:
    ///   - directory: its path.
    ///   - interest: the changes to send; leaving out unwanted ones keeps the kernel from noting them.
    ///   - scheduler: where they are heard.
    @inlinable
    public static func changes(
        in directory: FilePath,
        for interest: Set<FileChange.Kind> = Set(FileChange.Kind.allCases),
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<FileChange, FileWatchError> {
        // Composed where the observer's type is known: elsewhere every event would look up its generic types.
        create(of: ChangeBatch.self, failure: FileWatchError.self) { watch(directory, for: interest, $0) }
            // One descriptor is read for all, so the source is not told to pause. A batch has one change at least,
            // and `watch` bounds their number.
            .deliver(on: scheduler, limit: watchLimit, overflow: .dropNewest)
            .pairingMoves(limit: watchLimit)
            .named("changes(in: \(directory))")
    }

    @usableFromInline static var watchLimit: Int { 16_384 }

    @usableFromInline
    static func watch(
        _ directory: FilePath,
        for interest: Set<FileChange.Kind>,
        _ emitter: Emitter<ChangeBatch, FileWatchError>
    ) -> (any Disposable)? {
        let capacity = ChangeCapacity(limit: watchLimit)
        do throws(FileWatchError) {
            let token = try FileWatcher.shared.add(RawPath(directory), RawChange.mask(for: interest)) { changes in
                if let change = changes.last, change.isEnding {
                    return emitter.fail(.gone(directory, change.loss))
                }
                if changes.last?.isOverflow == true { emitter.sendLoss(of: 1) }
                let admitted = capacity.enter(changes.count)
                if admitted > 0 { emitter.send(ChangeBatch(Array(changes.prefix(admitted)), in: capacity)) }
                if admitted < changes.count { emitter.sendLoss(of: changes.count - admitted) }
            }
            return ActionDisposable { FileWatcher.shared.remove(token) }
        } catch {
            emitter.fail(error)
            return nil
        }
    }
}
