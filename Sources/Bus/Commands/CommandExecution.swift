import Synchronization

/// One execution of a ``Command``: a signal of the past and later values of its work, and a handle to end it.
///
/// ```
/// the work      1---2---3--|
/// execution     1---2---3--|
/// late               ^123--|
/// ```
///
/// - Ends: with the work, or when the execution is disposed of. By then the command's ``Command/isExecuting`` is false,
///   unless it has others.
/// - Fails: with the work's failure in ``CommandError/failed(_:)``; at once, with ``CommandError/disabled``, if the command was
///   disabled.
/// - Cancelling: ends one subscription. The work goes on, until ``dispose()``.
/// - Buffers: the last values for late subscribers, 1,024 or as told when the command was made; while one value is
///   being delivered, at most 65,536 others.
/// - Thread: the work's. Replayed values come during `subscribe`, or on the thread that is delivering.
public struct CommandExecution<Value: Sendable, WorkFailure: Error>: Signal, Disposable {
    public typealias Failure = CommandError<WorkFailure>
    let hub: ReplaySubject<Value, Failure>
    let run: CommandRun

    init(run: CommandRun, replay: Int) {
        hub = ReplaySubject(failure: Failure.self, capacity: replay)
        self.run = run
    }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        hub.subscribe(observer)
    }

    /// Ends the work, and completes the execution.
    public func dispose() {
        if run.end() { hub.complete() }
    }

    /// Whether the work has ended, or was never begun.
    public var isDisposed: Bool { run.isOver }

    public var chain: Chain { Chain(source: "execution") }
}

/// The time from the beginning of an execution to its end.
final class CommandRun: Sendable {
    private let state: CurrentValueCore<CommandState, Never>
    private let connection = SubscriptionGate()

    init(_ state: CurrentValueCore<CommandState, Never>) {
        self.state = state
    }

    var isOver: Bool { connection.isDisposed }

    /// Takes the subscription to the work.
    func carry(_ work: any Disposable) { connection.carry(work) }

    /// Ends it: the work is released, and the command has one execution less. Returns whether it had not ended
    /// before.
    func end() -> Bool {
        guard connection.end() else { return false }
        state.modify { $0.end() }
        return true
    }

    /// It never began.
    func refuse() { connection.end() }
}
