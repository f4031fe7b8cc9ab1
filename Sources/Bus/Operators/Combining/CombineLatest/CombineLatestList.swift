@frozen
@usableFromInline
struct CombineLatestListSignal<Elements: Collection & Sendable>: Signal where Elements.Element: Signal {
    @usableFromInline typealias Value = [Elements.Element.Value]
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
        guard !signals.isEmpty else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let list = LatestList<Elements.Element.Value>(inputs: signals.count)
        let output = SerialObserver(LatestMachine(list, inputs: signals.count, downstream: observer))
        let sender = Sender(output)
        for (index, signal) in signals.enumerated() {
            if output.isClosing { break }
            output.resources.add(signal.subscribe(LatestInput(SlotInList(index: index), output, sender)))
        }
        return output.handle
    }

    @usableFromInline var chain: Chain { Chain(joining: signals.map(\.chain), by: "combineLatest") }
}

/// The latest values of a list of inputs of one type.
///
/// They are kept in the array that is sent: while nobody else holds the array, a change costs the same however many
/// values there are.
@frozen
@usableFromInline
struct LatestList<Value: Sendable>: LatestValues {
    /// The values that have come, while an input is silent.
    @usableFromInline var first: [Value?]
    /// Nothing while it is lent.
    @usableFromInline var latest: [Value]?
    @usableFromInline var silent: Int

    @inlinable
    init(inputs: Int) {
        first = Array(repeating: nil, count: inputs)
        silent = inputs
    }

    @inlinable
    mutating func put(_ value: Value, at index: Int) {
        if silent == 0 {
            latest?[index] = value
        } else {
            putFirst(value, at: index)
        }
    }

    @usableFromInline
    mutating func putFirst(_ value: Value, at index: Int) {
        if first[index] == nil { silent -= 1 }
        first[index] = value
        if silent == 0 {
            latest = first.compactMap { $0 }
            first = []
        }
    }

    // Moved out and in, because a copy would be retained and released with every event.
    @inlinable
    @inline(__always)
    mutating func lend(to body: ([Value]) -> Demand) -> Demand? {
        guard let lent = latest.take() else { return nil }
        let demand = body(lent)
        latest = consume lent
        return demand
    }
}

@frozen
@usableFromInline
struct SlotInList<Value: Sendable>: LatestSlot {
    @usableFromInline let index: Int

    @inlinable
    init(index: Int) {
        self.index = index
    }

    @inlinable
    func put(_ value: Value, in values: inout LatestList<Value>) { values.put(value, at: index) }

    @usableFromInline
    func isSilent(in values: LatestList<Value>) -> Bool { values.silent > 0 && values.first[index] == nil }
}
