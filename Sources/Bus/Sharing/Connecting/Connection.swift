public import Synchronization

/// The one subscription to a source that several others share.
@usableFromInline
final class Connection: Disposable {
    /// Whether it has ended or was disposed of. Looked at for every event, hence no lock.
    @usableFromInline let isOver = Atomic<Bool>(false)
    private let upstream = SerialDisposable()

    @usableFromInline
    init() {}

    /// Takes the subscription; disposes of it when nobody wants it any more.
    @usableFromInline
    func carry(_ subscription: any Disposable) {
        upstream.set(subscription)
    }

    @usableFromInline
    func dispose() {
        end()
    }

    /// Ends it; answers whether it had not ended before.
    @usableFromInline
    @discardableResult
    func end() -> Bool {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        upstream.dispose()
        return true
    }

    @usableFromInline
    var isDisposed: Bool { isOver.load(ordering: .acquiring) }
}

/// Sends what the source says into the subject, as long as the connection lasts.
@frozen
@usableFromInline
struct ConnectionObserver<Target: SubjectProtocol>: Observer, ~Copyable {
    @usableFromInline typealias Value = Target.Value
    @usableFromInline typealias Failure = Target.Failure
    @usableFromInline let target: Target
    @usableFromInline let connection: Connection

    @inlinable
    init(_ target: Target, _ connection: Connection) {
        self.target = target
        self.connection = connection
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        guard !connection.isOver.load(ordering: .acquiring) else { return .stop }
        target.send(value)
        return demand
    }

    @inlinable
    mutating func lost(_ count: Int) {
        if !connection.isOver.load(ordering: .acquiring) { target.sendLoss(of: count) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        // Disposed of, the connection is over and the subject goes on.
        guard connection.end() else { return }
        switch termination {
        case .completed: target.complete()
        case .failed(let failure): target.fail(failure)
        }
    }

    @inlinable
    var demand: Demand { connection.isOver.load(ordering: .acquiring) ? .stop : target.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        connection.isOver.load(ordering: .acquiring) ? .stop : target.whenReady(resume)
    }
}
