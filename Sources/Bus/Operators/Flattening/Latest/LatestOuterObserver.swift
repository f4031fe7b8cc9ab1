/// Hears the values that are to become signals, each of which ends the one before it.
@frozen
@usableFromInline
struct LatestOuterObserver<Value: Sendable, Inner: Signal, Downstream: Observer & ~Copyable>: InputObserver, ~Copyable
where Inner.Value == Downstream.Value, Inner.Failure == Downstream.Failure {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = FlattenLatestMachine<Downstream>
    @usableFromInline let output: SerialObserver<Machine>
    @usableFromInline let request: LatestRequest<Machine>
    @usableFromInline let present: SerialDisposable
    @usableFromInline let transform: @Sendable (Value) -> Inner
    @usableFromInline var serial: UInt64 = 0
    /// Whether a handle was put into `present`; without one there is nothing to end.
    @usableFromInline var hasPresent = false

    @inlinable
    init(
        _ output: SerialObserver<Machine>,
        _ present: SerialDisposable,
        _ transform: @escaping @Sendable (Value) -> Inner
    ) {
        self.output = output
        request = LatestRequest(output)
        self.present = present
        self.transform = transform
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        serial += 1
        let serial = serial
        // From here on no event of the previous one is heard.
        if output.sendNow({ $0.switched(to: serial) }) == nil { switchLater(to: serial) }
        if output.isClosing { return .stop }
        if hasPresent {
            present.swap(FinishedDisposable())?.dispose()
            hasPresent = false
        }
        let handle = transform(value).subscribe(LatestInnerObserver(serial, output, request))
        if !handle.isDisposed {
            present.set(handle)
            hasPresent = true
        }
        return output.demand
    }

    @usableFromInline
    func switchLater(to serial: UInt64) {
        guard request.switches.withLock({ $0.wait(serial) }) else { return }
        output.perform { [request, output] machine, _ in
            let (latest, hasEnded) = request.switches.withLock { $0.take(serial) }
            _ = machine?.switched(to: latest)
            if hasEnded, machine?.ended(latest) ?? false { output.terminate(.completed) }
        }
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        guard case .completed = termination else { return output.terminate(termination) }
        output.perform { [output] machine, _ in
            let isDone = machine?.outerEnded() ?? false
            if isDone || output.isClosing { output.terminate(.completed) }
        }
    }
}

/// Hears one inner signal, as long as it is the latest.
@frozen
@usableFromInline
struct LatestInnerObserver<Downstream: Observer & ~Copyable>: InputObserver, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = FlattenLatestMachine<Downstream>
    @usableFromInline let serial: UInt64
    @usableFromInline let output: SerialObserver<Machine>
    @usableFromInline let request: LatestRequest<Machine>
    /// The losses reported after the last value.
    @usableFromInline var report: LossReport?

    @inlinable
    init(_ serial: UInt64, _ output: SerialObserver<Machine>, _ request: LatestRequest<Machine>) {
        self.serial = serial
        self.output = output
        self.request = request
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        let serial = serial
        if report != nil { report = nil }
        var isLatest = true
        let demand = output.sendNow { machine in
            isLatest = machine.present == serial
            return isLatest ? machine.downstream.next(value) : machine.downstream.demand
        }
        return isLatest ? demand ?? nextLater(value) : .stop
    }

    @usableFromInline
    func nextLater(_ value: Value) -> Demand {
        output.sendLater { [serial] machine in
            machine.present == serial ? machine.downstream.next(value) : machine.downstream.demand
        }
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        if report?.join(count) == true { return }
        let report = LossReport(count)
        self.report = report
        output.perform { [serial] machine, _ in
            if machine?.present == serial { machine?.downstream.lost(report.take()) }
        }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        let serial = serial
        guard case .completed = termination else { return failed(termination) }
        var isDone = false
        let demand = output.sendNow { machine in
            isDone = machine.ended(serial)
            return machine.downstream.demand
        }
        if demand == nil { return endLater() }
        if isDone || output.isClosing { output.terminate(.completed) }
    }

    @usableFromInline
    func endLater() {
        if request.switches.withLock({ $0.end(serial) }) { return }
        output.perform { [serial, output] machine, _ in
            let isDone = machine?.ended(serial) ?? false
            if isDone || output.isClosing { output.terminate(.completed) }
        }
    }

    @usableFromInline
    func failed(_ termination: Termination<Failure>) {
        output.perform { [serial, output] machine, _ in
            if machine?.present == serial { output.terminateNext(termination) }
        }
    }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { request.wait(serial, resume) }
}
