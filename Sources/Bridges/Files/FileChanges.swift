public import Bus
public import SystemPackage

extension Signals {
    /// The changes of the file at a path, whichever file that is: it may be missing at first, be deleted and come
    /// back, and be replaced by another that is renamed over it, as editors and package managers do. Cold.
    ///
    /// ```
    /// editor      ---write new---mv new conf------------
    /// rm, echo    ---------------------------rm---echo--
    /// changes(of) ---------------replaced----deleted-created-modified-closed--
    /// ```
    ///
    /// Every name on the way is watched: where the path leads over symbolic links, a link that replaces another is a
    /// `replaced` too. So changes of Kubernetes' mounted config maps and secrets are heard, where `conf.yaml →
    /// ..data/conf.yaml` stays and the link `..data` is renamed over. Directories on the way may be missing, and are
    /// waited for; a directory that is moved away together with its parent is not noticed.
    ///
    /// It sends ``FileChange/Kind/created``, `modified`, `closedAfterWrite`, `attributes`, `deleted`, `replaced` and
    /// `overflow`; a move is one of these. Changes in quick succession may be sent as one that describes the state
    /// found. Reload on `created`, `closedAfterWrite` and `replaced`, after a `debounce`.
    ///
    /// - Ends: never by itself.
    /// - Fails: with ``FileWatchError``: a directory on the way may not be read, links lead in a circle, the system has no
    ///   more watches or descriptors.
    /// - Cancelling: ends the watches.
    /// - Pausing: records wait until the observer is ready. The kernel's queue is read all the same, because all such
    ///   signals share it.
    /// - Buffers: at most 16,384 records. After a loss, counted (`lost`), and after an overflow, the file is checked
    ///   anew.
    /// - Thread: `scheduler`'s; the file is looked at there, too.
    ///
    /// - Parameters:
    ///   - path: of the file. A relative one is looked up from the working directory.
    ///   - scheduler: where its changes are heard.
    public static func changes(
        of path: FilePath,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<FileChange, FileWatchError> {
        FileChangesSignal(path: path, scheduler: scheduler)
    }
}

private struct FileChangesSignal<Target: Scheduler>: Signal {
    typealias Value = FileChange
    typealias Failure = FileWatchError

    let path: FilePath
    let scheduler: Target

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let follower = FileFollower(path)
        let failures = Lock<Emitter<RawChange, FileWatchError>?>(nil)
        // Holds changes that are sent after the observer has paused: a record may mean two changes, and a loss one.
        let output = SerialObserver(observer)
        let records = Signals.create(of: RawChange.self, failure: FileWatchError.self) { emitter in
            failures.withLock { $0 = emitter }
            do throws(FileWatchError) {
                try follower.start { emitter.send($0) }
            } catch {
                emitter.fail(error)
            }
            return ActionDisposable {
                follower.stop()
                let released = failures.withLock { $0.take() }
                _ = released
            }
        }
        // One descriptor is read for all, so the source is not told to pause.
        .deliver(on: scheduler, limit: 16_384, overflow: .dropNewest)
        let observer = FollowingObserver(
            output: output,
            sender: Sender(output),
            follower: follower,
            emitter: failures
        )
        output.resources.add(records.subscribe(observer))
        return output.handle
    }

    var chain: Chain { Chain(source: "changes(of: \(path))") }
}

private struct FollowingObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == FileChange, Downstream.Failure == FileWatchError {
    let output: SerialObserver<Downstream>
    let sender: Sender<Downstream>
    let follower: FileFollower
    /// The destination of further watches and of failures; nil once the subscription is over.
    let emitter: Lock<Emitter<RawChange, FileWatchError>?>

    mutating func next(_ raw: RawChange) -> Demand {
        guard let emitter = emitter.withLock({ $0 }) else { return output.demand }
        do throws(FileWatchError) {
            let change = try follower.changes(after: raw) { emitter.send($0) }
            if raw.isOverflow {
                output.lost(1)
                if output.next(FileChange(.overflow, "")) == .stop { return .stop }
            }
            guard let change else { return output.demand }
            return output.next(change)
        } catch {
            emitter.fail(error)
            return output.demand
        }
    }

    /// A lost record may have been one that identifies the file.
    mutating func lost(_ count: Int) {
        output.lost(count)
        guard let emitter = emitter.withLock({ $0 }) else { return }
        do throws(FileWatchError) {
            let change = try follower.rescan(after: .arrival) { emitter.send($0) }
            // The kernel may have no record for long, so the end that follows a stop is made here.
            if let change, output.next(change) == .stop { output.terminate(.completed) }
        } catch {
            emitter.fail(error)
        }
    }

    consuming func terminate(_ termination: Termination<FileWatchError>) { output.terminate(termination) }

    var demand: Demand { output.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
