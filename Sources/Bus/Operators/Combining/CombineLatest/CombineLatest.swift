extension Signals {
    /// The latest values of several signals together, whenever one of them sends.
    ///
    /// ```
    /// a             --1-----2--------|
    /// b             ----a------b--|
    /// combineLatest ----1a--2a-2b----|
    /// ```
    ///
    /// Nothing is sent until each signal has sent a value. The signals are subscribed to in order. Values that a
    /// synchronous signal sends before the next is subscribed to are not combined, except its last one. Where one
    /// event reaches several inputs, a combination is sent for each of them; to combine a new value with an old one
    /// once, use `withLatest(from:)`.
    ///
    /// Signals whose failures are of different types, `Never` among them, are combined into one that fails with `any Error`.
    ///
    /// - Ends: when all of them have ended; at once when a signal ends that never sent a value, because nothing can
    ///   come any more.
    /// - Fails: with the first failure of any; the others are released before.
    /// - Cancelling: ends all their subscriptions.
    /// - Buffers: the latest value of each; at most 1,024 values while the observer pauses or
    ///   another thread delivers.
    /// - Thread: that of the signal that sends.
    ///
    /// Signals of different types are erased here, which costs some nanoseconds an event. `combineLatest(_:)` on a
    /// signal combines two signals without erasing them, and a list of one type is not erased either.
    @inlinable
    @inline(__always)
    public static func combineLatest<each Value: Sendable, Failure: Error>(
        _ signals: repeat any Signal<each Value, Failure>
    ) -> AnySignal<(repeat each Value), Failure> {
        // Not opaque: the compiler cannot look through an opaque type to a pack, and `$0.1` behind it fails to type-check.
        CombineLatestPackSignal<repeat each Value, Failure>(repeat Erasure.of(each signals)).erased
    }

    /// The latest values of a list of signals, whenever one of them sends. See `combineLatest(_:)` of several.
    ///
    /// An event costs the same however many signals there are, as long as nobody keeps the array that was sent. An
    /// empty list completes at once.
    @inlinable
    public static func combineLatest<Elements: Collection & Sendable>(
        _ signals: Elements
    ) -> some Signal<[Elements.Element.Value], Elements.Element.Failure> where Elements.Element: Signal {
        CombineLatestListSignal(signals: signals)
    }
}

extension Signal {
    /// This signal's and another's latest values, whenever one of them sends. Either may be one that cannot fail. See
    /// `Signals.combineLatest(_:)`.
    @inlinable
    @inline(__always)
    public consuming func combineLatest<Other: Signal>(
        _ other: Other
    ) -> some Signal<(Value, Other.Value), Failure> where Other.Failure == Failure {
        CombineLatestPairSignal(first: self, second: other)
    }
}

/// The latest values of all inputs of a `combineLatest`, and their combination.
@usableFromInline
protocol LatestValues<Joined>: Sendable {
    associatedtype Joined: Sendable

    /// Lends the combination of the values; nothing while an input is silent.
    ///
    /// Nobody puts a value meanwhile: only the deliverer lends.
    mutating func lend(to body: (Joined) -> Demand) -> Demand?
}

/// The place among them for an input's values.
@usableFromInline
protocol LatestSlot<Value, Values>: Sendable {
    associatedtype Value: Sendable
    associatedtype Values: LatestValues

    func put(_ value: Value, in values: inout Values)

    /// Whether nothing was put here yet.
    func isSilent(in values: Values) -> Bool
}

/// The logic of a `combineLatest`, without senders and threads: it stands below the one order into which its inputs
/// are put.
@frozen
@usableFromInline
struct LatestMachine<Values: LatestValues, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Values.Joined == Downstream.Value {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline var values: Values
    @usableFromInline var running: Int
    @usableFromInline var downstream: Downstream

    @inlinable
    init(_ values: Values, inputs: Int, downstream: consuming Downstream) {
        self.values = values
        running = inputs
        self.downstream = downstream
    }

    /// An input sent a value.
    @inlinable
    mutating func received<Place: LatestSlot>(_ value: Place.Value, at place: Place) -> Demand
    where Place.Values == Values {
        place.put(value, in: &values)
        return emit()
    }

    /// Sends the latest values, once there is one of each.
    @inlinable
    mutating func emit() -> Demand {
        values.lend { downstream.next($0) } ?? downstream.demand
    }

    /// An input completed; returns whether nothing more can come. That is also so when it never sent a value: then no
    /// combination can come.
    @inlinable
    mutating func ended<Place: LatestSlot>(at place: Place) -> Bool where Place.Values == Values {
        running -= 1
        return running == 0 || place.isSilent(in: values)
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand { downstream.next(value) }

    @inlinable
    mutating func lost(_ count: Int) { downstream.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    @inlinable
    var demand: Demand { downstream.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}

/// Hears one input of a `combineLatest`.
@frozen
@usableFromInline
struct LatestInput<Place: LatestSlot, Downstream: Observer & ~Copyable>: InputObserver, ~Copyable
where Place.Values.Joined == Downstream.Value {
    @usableFromInline typealias Value = Place.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Machine = LatestMachine<Place.Values, Downstream>
    @usableFromInline let place: Place
    @usableFromInline let output: SerialObserver<Machine>
    @usableFromInline let sender: Sender<Machine>

    @inlinable
    init(_ place: Place, _ output: SerialObserver<Machine>, _ sender: Sender<Machine>) {
        self.place = place
        self.output = output
        self.sender = sender
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        // A copy, because the closure would otherwise refer to this observer as a whole.
        let place = place
        return output.sendNow { $0.received(value, at: place) } ?? nextLater(value)
    }

    @usableFromInline
    func nextLater(_ value: Value) -> Demand {
        output.sendLater { [place] in $0.received(value, at: place) }
    }

    @inlinable
    consuming func terminate(_ termination: Termination<Failure>) {
        guard case .completed = termination else { return output.terminate(termination) }
        output.perform { [place, output] machine, _ in
            let isDone = machine?.ended(at: place) ?? false
            if isDone || output.isClosing { output.terminate(.completed) }
        }
    }
}
