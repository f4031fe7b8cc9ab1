public import Bus
import Timers

extension TestScheduler {
    /// A hot source that sends the events of a marble line. The line's first character is the present moment.
    ///
    /// ```swift
    /// import BusTesting
    ///
    /// let time = TestScheduler()
    /// let source = try time.hot("--1--2-(34)-|")
    /// let recorder = time.record(source.map { $0 * 2 })
    /// time.run()
    /// assert(recorder.marbles() == "--2--4-(68)-|")
    /// ```
    ///
    /// ``Diagram`` describes the notation.
    ///
    /// - Parameters:
    ///   - line: the events to send.
    ///   - type: the type that the characters are read as; numbers by default.
    ///   - failure: the type that an `x` is read as.
    ///   - step: how long a character lasts.
    /// - Throws: ``MarbleError`` when the line cannot be read.
    public func hot<Value: LosslessStringConvertible & Sendable, Failure: MarbleFailure>(
        _ line: String,
        of type: Value.Type = Int.self,
        failure: Failure.Type = TestFailure.self,
        step: Duration = .milliseconds(1)
    ) throws(MarbleError) -> ProbeSource<Value, Failure> {
        hot(try MarbleScript(line, step: step) { Value($0) }.events)
    }

    /// A hot source that sends the events of a marble line. See ``hot(_:of:failure:step:)``.
    ///
    /// - Parameters:
    ///   - line: the events to send.
    ///   - values: the value for each character.
    ///   - failure: the type that an `x` is read as.
    ///   - step: how long a character lasts.
    /// - Throws: ``MarbleError`` when the line cannot be read.
    public func hot<Value: Sendable, Failure: MarbleFailure>(
        _ line: String,
        _ values: [String: Value],
        failure: Failure.Type = TestFailure.self,
        step: Duration = .milliseconds(1)
    ) throws(MarbleError) -> ProbeSource<Value, Failure> {
        hot(try MarbleScript(line, step: step) { values[$0] }.events)
    }

    /// A hot source that sends the events at their times, counted from now; past events are sent at once when time is
    /// next moved.
    public func hot<Value: Sendable, Failure: Error>(
        _ script: [Recorded<Value, Failure>]
    ) -> ProbeSource<Value, Failure> {
        let source = ProbeSource(of: Value.self, failure: Failure.self, on: self)
        let start = now
        for moment in script.chunkedByTime() {
            _ = schedule(at: start.advanced(byNanoseconds: moment.time.nanoseconds)) {
                for event in moment.events { source.say(event) }
            }
        }
        return source
    }

    /// A cold source: every subscription hears the events of a marble line, from its own start on.
    ///
    /// The event at the first character comes during `subscribe`, as from `Signals.just`.
    ///
    /// - Parameters:
    ///   - line: the events to send.
    ///   - type: the type that the characters are read as; numbers by default.
    ///   - failure: the type that an `x` is read as.
    ///   - step: how long a character lasts.
    /// - Throws: ``MarbleError`` when the line cannot be read.
    public func cold<Value: LosslessStringConvertible & Sendable, Failure: MarbleFailure>(
        _ line: String,
        of type: Value.Type = Int.self,
        failure: Failure.Type = TestFailure.self,
        step: Duration = .milliseconds(1)
    ) throws(MarbleError) -> ColdSource<Value, Failure> {
        ColdSource(try MarbleScript(line, step: step) { Value($0) }.events, on: self)
    }

    /// A cold source: every subscription hears the events of a marble line. See ``cold(_:of:failure:step:)``.
    ///
    /// - Parameters:
    ///   - line: the events to send.
    ///   - values: the value for each character.
    ///   - failure: the type that an `x` is read as.
    ///   - step: how long a character lasts.
    /// - Throws: ``MarbleError`` when the line cannot be read.
    public func cold<Value: Sendable, Failure: MarbleFailure>(
        _ line: String,
        _ values: [String: Value],
        failure: Failure.Type = TestFailure.self,
        step: Duration = .milliseconds(1)
    ) throws(MarbleError) -> ColdSource<Value, Failure> {
        ColdSource(try MarbleScript(line, step: step) { values[$0] }.events, on: self)
    }

    /// Subscribes to a signal and records its events with their times.
    public func record<Source: Signal>(_ signal: Source) -> Recorder<Source.Value, Source.Failure> {
        Recorder(signal, on: self)
    }
}

extension ProbeSource {
    /// Sends one event of any kind.
    func say(_ event: Event<Value, Failure>) {
        switch event {
        case .next(let value): send(value)
        case .completed: complete()
        case .failed(let failure): fail(failure)
        }
    }
}
