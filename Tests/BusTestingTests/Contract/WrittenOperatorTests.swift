import Bus
import BusTesting
import Testing

/// The operators of the article "Write an operator or a source".
@Suite("Operators written as the article says")
struct WrittenOperatorTests {
    @Test("runs of equal values are counted, the last one at the end")
    func runLengths() async throws {
        let runs = try await Signals.from([1, 1, 2, 3, 3, 3]).runLengths().collected(limit: 10)
        #expect(runs.map(\.value) == [1, 2, 3] && runs.map(\.count) == [2, 1, 3])
    }

    @Test("they keep the delivery contract")
    func contract() {
        #expect(ContractCheck("runLengths") { $0[0].runLengths() }.violations() == [])
        #expect(ContractCheck("steps") { $0[0].map(Double.init).steps() }.violations() == [])
    }
}

extension Signal where Value == Double {
    fileprivate consuming func steps() -> some Signal<Double, Failure> {
        pairwise().map { $1 - $0 }
    }
}

private struct RunLengths<Input: Equatable & Sendable, InputFailure: Error>: FlushingTransducer {
    typealias Output = Run
    typealias Failure = InputFailure

    struct Run: Sendable, Equatable {
        var value: Input
        var count: Int
    }

    private var run: Run?

    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        guard let run, run.value != value else {
            self.run = Run(value: value, count: (run?.count ?? 0) + 1)
            return downstream.demand
        }
        let demand = downstream.next(run)
        // After a stop nothing is sent, not even at the end.
        self.run = demand == .stop ? nil : Run(value: value, count: 1)
        return demand
    }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<InputFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == Failure {
        if case .completed = termination, let run, downstream.demand != .stop { _ = downstream.next(run) }
        downstream.terminate(termination)
    }

    static var name: String { "runLengths" }
}

extension Signal where Value: Equatable {
    fileprivate consuming func runLengths() -> some Signal<RunLengths<Value, Failure>.Run, Failure> {
        transduced(by: RunLengths<Value, Failure>())
    }
}
