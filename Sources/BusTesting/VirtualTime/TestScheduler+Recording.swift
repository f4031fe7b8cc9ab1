public import Bus
import Timers

extension TestScheduler {
    /// A cold source: every subscription hears the events at their times, counted from its own start.
    ///
    /// ```swift
    /// import BusTesting
    ///
    /// let time = TestScheduler()
    /// let source = time.cold([.next(210, 1), .next(220, 2), .completed(230)], failure: Never.self)
    /// let heard = time.start(subscribed: 200, disposed: 425) { source.map { $0 * 2 } }
    /// assert(heard.timeline == [.next(410, 2), .next(420, 4)])
    /// ```
    ///
    /// - Parameters:
    ///   - script: the events, in order.
    ///   - failure: the type of the source's failure.
    public func cold<Value: Sendable, Failure: Error>(
        _ script: [Recorded<Value, Failure>],
        failure: Failure.Type = Failure.self
    ) -> ColdSource<Value, Failure> {
        ColdSource(script, on: self)
    }

    /// Makes a signal, subscribes to it, and disposes of the subscription, each at its time, and runs everything that
    /// comes due by then. RxTest's `start(created:subscribed:disposed:create:)`.
    ///
    /// - Parameters:
    ///   - subscribed: when the signal is made and subscribed to, in milliseconds from now.
    ///   - disposed: when the subscription is disposed of.
    ///   - make: makes the signal.
    /// - Returns: the recorded events, with their times.
    public func start<Source: Signal>(
        subscribed: Int64 = 200,
        disposed: Int64 = 1000,
        _ make: () -> Source
    ) -> Recorder<Source.Value, Source.Failure> {
        let start = now
        advance(to: start.advanced(by: .milliseconds(subscribed)))
        let recorder = record(make())
        advance(to: start.advanced(by: .milliseconds(disposed)))
        recorder.dispose()
        return recorder
    }
}
