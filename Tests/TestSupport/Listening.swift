package import Bus
package import BusTesting
import Foundation
import Testing

/// A subscription whose test waits for what it hears. Prints what it heard when the tests' time is over.
package final class Listening<Value: Sendable, Failure: Error>: Sendable {
    package struct Timeout: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    private let news = NewsBoard()
    package let recorder: Recorder<Value, Failure>

    package init<Source: Signal>(
        _ signal: Source,
        onNext: @escaping @Sendable (Value) -> Demand = { _ in .more }
    ) where Source.Value == Value, Source.Failure == Failure {
        recorder = Recorder(
            signal,
            onNext: { [news] value in
                defer { news.post() }
                return onNext(value)
            },
            onLoss: { [news] _ in news.post() },
            onEnd: { [news] in news.post() }
        )
    }

    package var values: [Value] { recorder.values }
    package var valueCount: Int { recorder.valueCount }
    package var lost: Int { recorder.lost }

    package var failure: Failure? {
        guard case .failed(let failure) = recorder.events.last else { return nil }
        return failure
    }

    package var hasCompleted: Bool {
        guard case .completed = recorder.events.last else { return false }
        return true
    }

    /// Returns once the condition holds.
    package func wait(_ what: String = "what was expected", until condition: (Listening) -> Bool) throws {
        guard news.wait(until: { condition(self) }) else {
            throw Timeout(description: "waited for \(what) in vain; heard \(recorder.events), lost \(lost)")
        }
    }

    package func waitForEnd() throws { try wait("the end") { $0.recorder.hasEnded } }

    package func waitForValues(_ count: Int) throws { try wait("\(count) values") { $0.valueCount >= count } }

    package func dispose() { recorder.dispose() }
}

/// Wakes all waiters for news.
package final class NewsBoard: @unchecked Sendable {
    // The condition has its own lock.
    private let condition = NSCondition()

    package init() {}

    package func post() {
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// A change without a post is noticed within a hundredth of a second. False when the tests' time is over.
    package func wait(until isMet: () -> Bool) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !isMet() {
            if RunLimit.isOver { return false }
            _ = condition.wait(until: Date(timeIntervalSinceNow: 0.01))
        }
        return true
    }
}

extension NewsBoard {
    package struct Timeout: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    package func waitOrThrow(_ what: String, until isMet: () -> Bool) throws {
        guard wait(until: isMet) else { throw Timeout(description: "waited for \(what) in vain") }
    }
}
