public import Bus
public import Timers

extension Signals {
    /// The records of several sources in the order of their times.
    ///
    /// ```
    /// a        --1-----4---------|
    /// b        ----3-------2-5---|
    /// inOrder  ----1-3-----4-2'5-|     2' is late: it came more than a window behind the 4
    /// ```
    ///
    /// A record waits until it is certain that no earlier one can come. That is the case when each of the other
    /// sources has a waiting record that is not earlier, or has ended. A source that has not yet sent all its old
    /// records (``RecordItem/caughtUp``) is waited for as long as it takes. A source that has is waited for no longer
    /// than the window: an idle source holds nothing up. A record that comes later than that is sent when it comes,
    /// with ``Record/isLate``.
    ///
    /// Records of one source stay in the order in which it sends them; a record that is earlier than the one before
    /// it counts as equally late. If times are equal, the source that is listed first comes first.
    ///
    /// - Ends: when all sources have ended, and everything was sent.
    /// - Fails: with the first source that fails. Waiting records are sent before, in order; no source is read on.
    /// - Cancelling: ends all subscriptions, and drops the waiting records.
    /// - Pausing: records wait here; a source with `limit` records or its share of `byteLimit` waiting is told to pause, until there is half
    ///   as much.
    /// - Buffers: at most `limit` records of each source, and about `byteLimit` bytes. If a source sends more, though it was told to pause,
    ///   they are lost and counted.
    /// - Thread: that of the source that sends, or `scheduler`'s when a window has passed.
    ///
    /// - Parameters:
    ///   - sources: subscribed to in order.
    ///   - window: how long a record waits for earlier ones of sources that are idle. With zero, records come in the order of arrival and none
    ///     is late.
    ///   - limit: how many records of a source may wait; at least one may.
    ///   - byteLimit: how many bytes the waiting records may have; each source has an equal share of it, and one record more.
    ///   - scheduler: measures the time.
    public static func merge<Failure: Error>(
        inOrder sources: [AnySignal<RecordItem, Failure>],
        window: Duration = .milliseconds(100),
        limit: Int = 1024,
        byteLimit: Int = 64 << 20,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> some Signal<Record, Failure> {
        MergeInOrderSignal(
            sources: sources,
            window: window,
            limit: max(1, limit),
            byteLimit: byteLimit,
            scheduler: scheduler
        )
    }
}

private struct MergeInOrderSignal<Failure: Error, Time: TimedScheduler>: Signal {
    typealias Value = Record

    let sources: [AnySignal<RecordItem, Failure>]
    let window: Duration
    let limit: Int
    let byteLimit: Int
    let scheduler: Time

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let ordering = RecordOrdering(
            SerialObserver(observer),
            RecordQueues(count: sources.count, window: window, limit: limit, byteLimit: byteLimit),
            scheduler
        )
        ordering.output.resources.add(ordering.timer)
        for (index, source) in sources.enumerated() {
            guard !ordering.output.isClosing else { break }
            ordering.output.resources.add(source.subscribe(OrderedInput(ordering: ordering, index: index)))
        }
        ordering.pump()
        return ordering.output.handle
    }

    var chain: Chain { Chain(joining: sources.map(\.chain), by: "merge(inOrder)") }
}

/// Hears one source.
private struct OrderedInput<Downstream: Observer & ~Copyable, Time: TimedScheduler>: Observer, ~Copyable
where Downstream.Value == Record {
    typealias Value = RecordItem
    typealias Failure = Downstream.Failure
    let ordering: RecordOrdering<Downstream, Time>
    let index: Int

    mutating func next(_ item: RecordItem) -> Demand { ordering.take(item, of: index) }

    mutating func lost(_ count: Int) { ordering.lost(count, of: index) }

    consuming func terminate(_ termination: Termination<Failure>) { ordering.ended(index, termination) }

    var demand: Demand { ordering.demand(of: index) }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { ordering.whenReady(index, resume) }
}
