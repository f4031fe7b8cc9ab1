public import Synchronization

extension Signals {
    /// The first of several signals to send an event.
    ///
    /// ```
    /// a    -----1--2---3--|
    /// b    --4-----5--|
    /// race --4-----5--|
    /// ```
    ///
    /// A value wins, and so does an end: a signal that fails or completes before the others have sent is the result.
    /// The signals are subscribed to in order. A synchronous one therefore wins over all that follow, and these are
    /// not subscribed to.
    ///
    /// - Ends: with the winner; with no signals, at once.
    /// - Fails: with the winner.
    /// - Cancelling: ends the subscription to the winner, or to all while there is none.
    /// - Thread: the winner's. The others are released there before its first event is heard.
    @inlinable
    public static func race<Elements: Sequence & Sendable>(
        _ signals: Elements
    ) -> some Signal<Elements.Element.Value, Elements.Element.Failure> where Elements.Element: Signal {
        RaceSignal(signals: signals)
    }

    /// The first of several signals to send an event. See `race(_:)` of a sequence.
    @inlinable
    public static func race<Value: Sendable, Failure: Error>(
        _ signals: any Signal<Value, Failure>...
    ) -> some Signal<Value, Failure> {
        RaceSignal(signals: signals.map { Erasure.of($0) })
    }
}

extension Signal {
    /// This signal or another, whichever sends an event first. Either may be one that cannot fail. See
    /// `Signals.race(_:)`.
    @inlinable
    public consuming func race<Other: Signal>(
        _ other: Other
    ) -> some Signal<Value, Failure> where Other.Value == Value, Other.Failure == Failure {
        RaceSignal(signals: SignalPair(self, other))
    }
}

@frozen
@usableFromInline
struct RaceSignal<Elements: Sequence & Sendable>: Signal where Elements.Element: Signal {
    @usableFromInline typealias Value = Elements.Element.Value
    @usableFromInline typealias Failure = Elements.Element.Failure
    @usableFromInline let signals: Elements

    @inlinable
    init(signals: Elements) {
        self.signals = signals
    }

    @inlinable
    @inline(__always)
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        // The first value decides which of them wins, and there must be room for it.
        if observer.demand == .pause {
            return ConcatSignal(signals: CollectionOfOne(self)).subscribe(AnyObserver(observer))
        }
        let handles = RaceHandles()
        let prize = RacePrize(observer)
        var contender = 0
        for signal in signals {
            if handles.isDecided { break }
            contender += 1
            handles.add(signal.subscribe(RaceInput(contender, prize, handles)), for: contender)
        }
        if contender == 0 { prize.downstream.take()?.terminate(.completed) }
        return handles
    }

    @usableFromInline var chain: Chain { Chain(joining: signals.map(\.chain), by: "race") }
}

/// The downstream of a race, until a contender has won it.
@usableFromInline
final class RacePrize<Downstream: Observer & ~Copyable>: @unchecked Sendable {
    // Touched by the winner alone, of whom there is one.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

    @inlinable
    init(_ downstream: consuming Downstream) {
        self.downstream = consume downstream
    }
}

/// Hears one contender. After winning, it owns the downstream, and an event needs neither a lock nor a place in a
/// queue.
@frozen
@usableFromInline
struct RaceInput<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let contender: Int
    @usableFromInline let prize: RacePrize<Downstream>
    @usableFromInline let handles: RaceHandles
    @usableFromInline var downstream: Downstream?
    /// The number of values lost above before its first event.
    @usableFromInline var lost = 0

    @inlinable
    init(_ contender: Int, _ prize: RacePrize<Downstream>, _ handles: RaceHandles) {
        self.contender = contender
        self.prize = prize
        self.handles = handles
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        if downstream == nil { win() }
        if handles.isDisposed { return .stop }
        return downstream?.next(value) ?? .stop
    }

    @usableFromInline
    mutating func win() {
        guard handles.win(contender) else { return }
        downstream = prize.downstream.take()
        if lost > 0, !handles.isDisposed { downstream?.lost(lost) }
    }

    @usableFromInline
    mutating func lost(_ count: Int) {
        if downstream == nil {
            lost += count
        } else if !handles.isDisposed {
            downstream?.lost(count)
        }
    }

    @usableFromInline
    consuming func terminate(_ termination: Termination<Failure>) {
        if downstream == nil { win() }
        if downstream != nil, handles.end() { downstream.take()?.terminate(termination) }
    }

    @inlinable
    var demand: Demand {
        if handles.isDisposed { return .stop }
        switch downstream {
        case .some(let downstream): return downstream.demand
        case .none: return handles.isDecided ? .stop : .more
        }
    }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        handles.isDisposed || downstream == nil ? demand : downstream?.whenReady(resume) ?? .stop
    }
}

/// The contenders of a race, its winner, and the handles to end them: the handle of the whole.
@usableFromInline
final class RaceHandles: Disposable {
    /// Zero while nobody has won; contenders are numbered from one.
    @usableFromInline let winner = Atomic<Int>(0)
    @usableFromInline let isOver = Atomic<Bool>(false)
    private let handles = Lock<[Int: any Disposable]>([:])

    @usableFromInline
    init() {}

    @inlinable
    var isDecided: Bool { winner.load(ordering: .acquiring) != 0 }

    /// Whether `contender` is the first to ask. All others are released before it gets the answer.
    @usableFromInline
    func win(_ contender: Int) -> Bool {
        guard winner.compareExchange(expected: 0, desired: contender, ordering: .acquiringAndReleasing).exchanged else {
            return false
        }
        release(allBut: contender)
        return true
    }

    /// Keeps the handle of a contender, or ends it when the contender has lost.
    @usableFromInline
    func add(_ handle: any Disposable, for contender: Int) {
        if handle.isDisposed { return }
        let isWanted = handles.withLock { handles -> Bool in
            let winner = winner.load(ordering: .acquiring)
            guard !isDisposed, winner == 0 || winner == contender else { return false }
            handles[contender] = handle
            return true
        }
        if !isWanted { handle.dispose() }
    }

    /// Whether it was not over before.
    @usableFromInline
    @discardableResult
    func end() -> Bool { !isOver.exchange(true, ordering: .sequentiallyConsistent) }

    @usableFromInline
    func dispose() {
        end()
        release(allBut: 0)
    }

    private func release(allBut contender: Int) {
        let released = handles.withLock { handles -> [Int: any Disposable] in
            var released = handles
            handles = [:]
            if let winner = released.removeValue(forKey: contender) { handles[contender] = winner }
            return released
        }
        for (_, handle) in released.sorted(by: { $0.key < $1.key }) { handle.dispose() }
    }

    @usableFromInline
    var isDisposed: Bool { isOver.load(ordering: .acquiring) }
}
