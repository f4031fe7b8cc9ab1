public import Bus
public import Dispatch

/// Numbers that are put together while the queue is busy, and heard as one. Hot.
///
/// ```
/// send       --1---2-3-4------
/// adding     --1---2-----7----   (the queue is busy while 3 and 4 come)
/// replacing  --1---2-----4----
/// ```
///
/// Dispatch's user data sources: a sender never waits, and only one number is queued.
///
/// - Ends: never.
/// - Fails: never.
/// - Cancelling: releases the subscriber, at once or after the event that is being delivered.
/// - Pausing: a subscriber that pauses is sent values all the same, as by a `Subject`, so that it does not hold up
///   the others. Its own queue keeps them, or loses and counts them.
/// - Buffers: one number. Merged numbers are not lost, nor counted as lost; a sum past `UInt.max` starts again at
///   zero. Zero is not heard: Dispatch takes it for nothing.
/// - Thread: on the queue.
///
/// Dropping it frees its subscribers' chains; they hear no end, and numbers that have not been heard are dropped.
public final class DispatchMergeSource: Signal {
    public typealias Value = UInt
    public typealias Failure = Never

    /// How numbers are merged that are sent before the last was heard.
    public enum Merging: Sendable, Hashable {
        /// They are added.
        case adding
        /// Their bits are united.
        case uniting
        /// The last takes the place of the others.
        case replacing
    }

    // Not a subject: the handler would hold it until the source has been cancelled.
    private let core = SerialObserver(Fanout<UInt, Never>(), limit: 65_536, whilePaused: .pass)
    private let source: DataSource

    /// - Parameters:
    ///   - merging: how numbers are put together.
    ///   - queue: where they are heard.
    public init(_ merging: Merging, on queue: DispatchQueue) {
        source = DataSource(merging, on: queue) { [core] number in _ = core.next(number) }
    }

    deinit {
        source.cancel()
        core.abandon()
    }

    /// Sends a number; from any thread, without waiting.
    public func send(_ number: UInt) { source.send(number) }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == UInt, Downstream.Failure == Never {
        core.attach(observer)
    }

    public var chain: Chain { Chain(source: "dispatchMergeSource") }
}

/// One of the three kinds of source.
private struct DataSource: Sendable {
    let send: @Sendable (UInt) -> Void
    let cancel: @Sendable () -> Void

    init(_ merging: DispatchMergeSource.Merging, on queue: DispatchQueue, _ handler: @escaping @Sendable (UInt) -> Void)
    {
        switch merging {
        case .adding:
            self.init(DispatchSource.makeUserDataAddSource(queue: queue), handler) { $0.add(data: $1) }
        case .uniting:
            self.init(DispatchSource.makeUserDataOrSource(queue: queue), handler) { $0.or(data: $1) }
        case .replacing:
            self.init(DispatchSource.makeUserDataReplaceSource(queue: queue), handler) { $0.replace(data: $1) }
        }
    }

    private init<Source>(
        _ source: Source,
        _ handler: @escaping @Sendable (UInt) -> Void,
        _ merge: @escaping @Sendable (Source, UInt) -> Void
    ) {
        let shared = Shared(source: source)
        send = { merge(shared.source, $0) }
        // Every kind is one.
        let base = Shared(source: source as? any DispatchSourceProtocol)
        cancel = { base.source?.cancel() }
        base.source?.setEventHandler { handler(base.source?.data ?? 0) }
        base.source?.activate()
    }

    private struct Shared<Source>: @unchecked Sendable {
        // Dispatch's objects may be used from any thread.
        let source: Source
    }
}
