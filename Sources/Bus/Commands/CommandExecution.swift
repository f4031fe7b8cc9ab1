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

/// Hears the work of one execution.
struct CommandObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    /// Ends the run when the work was dropped without an end.
    private final class Guard: Sendable {
        let run: CommandRun

        init(_ run: CommandRun) {
            self.run = run
        }

        deinit {
            _ = run.end()
        }
    }

    private let hub: ReplaySubject<Value, CommandError<Failure>>
    private let outlets: CommandOutlets<Value, Failure>
    private let guarding: Guard

    init(_ execution: CommandExecution<Value, Failure>, _ outlets: CommandOutlets<Value, Failure>) {
        hub = execution.hub
        self.outlets = outlets
        guarding = Guard(execution.run)
    }

    mutating func next(_ value: Value) -> Demand {
        guard !guarding.run.isOver else { return .stop }
        hub.send(value)
        outlets.values.send(value)
        return demand
    }

    mutating func lost(_ count: Int) {
        hub.sendLoss(of: count)
        outlets.values.sendLoss(of: count)
    }

    consuming func terminate(_ termination: Termination<Failure>) {
        // The state first: a subscriber that hears the end may execute again.
        guard guarding.run.end() else { return }
        switch termination {
        case .completed: hub.complete()
        case .failed(let failure):
            outlets.errors.send(failure)
            hub.fail(.failed(failure))
        }
    }

    // A slow subscriber of the execution slows the work; one of `values`, which hears all executions, does not.
    var demand: Demand { guarding.run.isOver ? .stop : hub.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        guarding.run.isOver ? .stop : hub.whenReady(resume)
    }
}

/// Where a command sends the events of all its executions.
struct CommandOutlets<Value: Sendable, Failure: Error>: Sendable {
    let values = Subject<Value, Never>()
    let errors = Subject<Failure, Never>()
    let executions = Subject<CommandExecution<Value, Failure>, Never>()

    func complete() {
        executions.complete()
        values.complete()
        errors.complete()
    }
}

/// Tells a command whether it may execute.
struct EnablingObserver: Observer, ~Copyable {
    typealias Value = Bool
    typealias Failure = Never
    let state: CurrentValueCore<CommandState, Never>

    mutating func next(_ isAllowed: Bool) -> Demand {
        state.modify { $0.isAllowed = isAllowed }
        return demand
    }

    mutating func lost(_ count: Int) {}

    consuming func terminate(_ termination: Termination<Never>) {}

    var demand: Demand { state.output.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { state.output.whenReady(resume) }
}
