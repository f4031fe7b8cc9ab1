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
