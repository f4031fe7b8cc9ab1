public import Bus
import DequeModule

/// A value, and how many came shortly before.
public struct Counted<Value: Sendable>: Sendable {
    /// The value that came.
    public let value: Value
    /// How many values came within the time, this one among them; at most the operator's limit.
    public let count: Int

    /// For tests of code that hears counted values.
    public init(_ value: Value, count: Int) {
        self.value = value
        self.count = count
    }
}

extension Counted: Equatable where Value: Equatable {}
extension Counted: Hashable where Value: Hashable {}

extension Signal {
    /// Each value with the number of values that came within `duration` up to now.
    ///
    /// ```
    /// self            --a-b------c-d-e|
    /// count(within: .seconds(5))
    ///                 --1-2------1-2-3|
    /// ```
    ///
    /// More than five failures of a unit in ten seconds:
    ///
    /// ```swift
    /// import Bus
    /// import Timers
    ///
    /// let failures = Subject(of: String.self)
    /// let storms = failures.groupBy(limit: 1024) { $0 }
    ///     .flatMap { $0.count(within: .seconds(10), limit: 6).filter { $0.count > 5 }.map { $0.value } }
    /// let subscription = storms.subscribe(next: { print("\($0) fails again and again") })
    /// ```
    ///
    /// A value that is exactly `duration` old still counts. Values that were lost before they came here count when the loss is heard.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: the times of at most `limit` values, 8 bytes each.
    ///
    /// - Parameters:
    ///   - duration: how long a value counts.
    ///   - limit: the highest count; further values are not told apart. At least one.
    ///   - scheduler: the scheduler whose clock is read.
    public consuming func count(
        within duration: Duration,
        limit: Int = 1024,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Counted<Value>, Failure> {
        transduced(by: CountingWithin(duration: duration, limit: limit, scheduler: scheduler))
    }
}

private struct CountingWithin<Input: Sendable, InputFailure: Error, Time: TimedScheduler>: Transducer {
    typealias Output = Counted<Input>
    typealias Failure = InputFailure

    let duration: Duration
    let limit: Int
    let scheduler: Time
    private var times: Deque<TimerInstant> = []

    init(duration: Duration, limit: Int, scheduler: Time) {
        self.duration = duration
        self.limit = max(1, limit)
        self.scheduler = scheduler
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ value: Input,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == Failure {
        add(1)
        return downstream.next(Counted(value, count: times.count))
    }

    mutating func lost<Downstream: Observer & ~Copyable>(_ count: Int, to downstream: inout Downstream)
    where Downstream.Value == Output, Downstream.Failure == Failure {
        add(count)
        downstream.lost(count)
    }

    private mutating func add(_ count: Int) {
        let now = scheduler.now
        for _ in 0..<min(count, limit) {
            if times.count == limit { times.removeFirst() }
            times.append(now)
        }
        while let first = times.first, first.duration(to: now) > duration { times.removeFirst() }
    }

    static var name: String { "count(within:)" }
}
