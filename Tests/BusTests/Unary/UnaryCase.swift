import Bus
import BusTesting

/// One operator with one source, and its results for the inputs that every operator is tested with.
///
/// Events are separated by a space: values as they print, `|` for completion, `x` for failure.
struct UnaryCase: Sendable, CustomStringConvertible {
    typealias Source = AnySignal<Int, TestFailure>

    /// The last operators of the chain, as it describes itself.
    let description: String
    /// Promises of the contract that it does not keep, and why.
    let exceptions: [ContractPromise: String]
    /// The largest number of values for the contract check.
    let most: Int
    let build: @Sendable (Source) -> AnySignal<String, TestFailure>

    /// The results for no value, for 1, for 1 to 4, for a failure, and for 1, 2 and a failure.
    let expected: [String: String]

    static let inputs = ["|", "1 |", "1 2 3 4 |", "x", "1 2 x"]

    init<Built: Signal>(
        _ description: String,
        except exceptions: [ContractPromise: String] = [:],
        most: Int = .max,
        empty: String = "|",
        one: String,
        many: String,
        failing: String = "x",
        midway: String,
        _ build: @escaping @Sendable (Source) -> Built
    ) where Built.Failure == TestFailure {
        self.description = description
        self.exceptions = exceptions
        self.most = most
        self.build = { build($0).transduced(by: Printed { "\($0)" }).eraseToAnySignal() }
        expected = ["|": empty, "1 |": one, "1 2 3 4 |": many, "x": failing, "1 2 x": midway]
    }

    /// A cold source of the given events.
    static func source(_ events: String) -> Source {
        let events = events.split(separator: " ")
        return Signals.create(failure: TestFailure.self) { emitter in
            for event in events {
                switch event {
                case "|": emitter.complete()
                case "x": emitter.fail("x")
                default: emitter.send(Int(event) ?? 0)
                }
            }
            return nil
        }
        .eraseToAnySignal()
    }

    static func written(_ events: [Event<String, TestFailure>]) -> String {
        events.map { event in
            switch event {
            case .next(let value): value
            case .completed: "|"
            case .failed(let failure): failure.description
            }
        }
        .joined(separator: " ")
    }
}

/// Turns each value into text.
struct Printed<Input: Sendable>: Transducer {
    typealias Output = String
    typealias InputFailure = TestFailure
    let text: @Sendable (Input) -> String

    init(_ text: @escaping @Sendable (Input) -> String) {
        self.text = text
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == String, Downstream.Failure == TestFailure {
        downstream.next(text(value))
    }

    var name: String { "printed" }
}
