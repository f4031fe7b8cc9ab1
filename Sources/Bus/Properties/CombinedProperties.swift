/// A namespace for properties made from several.
public enum Properties {
    /// The values of several properties together.
    ///
    /// It holds nothing: reading its value reads one property after the other, and its signals are
    /// `Signals.combineLatest(_:)` of theirs, which sends once for each set of any of them. They complete when all of
    /// the properties have died.
    public static func combineLatest<each Value: Sendable>(
        _ properties: repeat any PropertyProtocol<each Value>
    ) -> Property<(repeat each Value)> {
        let sources = (repeat (each properties).readOnly)
        return Property(
            get: { (repeat (each sources).value) },
            values: Signals.combineLatest(repeat (each sources).values)
        )
    }

    /// The values of several properties in step: the first value of each, then the second of each, and so on.
    ///
    /// It follows them from now on, as `Property(initial:then:)` follows a signal. At most 1,024 values of one wait
    /// for those of the others; values that a property further ahead is set to then are left out. For properties that
    /// are set at different rates, use `combineLatest` instead. It completes when one of them has died and its
    /// earlier values are used up.
    public static func zip<each Value: Sendable>(
        _ properties: repeat any PropertyProtocol<each Value>
    ) -> Property<(repeat each Value)> {
        let sources = (repeat (each properties).readOnly)
        return Property(
            initial: (repeat (each sources).value),
            then: Signals.zip(repeat (each sources).values)
        )
    }
}

extension PropertyProtocol {
    /// This property's value and another's together. See ``Properties/combineLatest(_:)``.
    public func combineLatest<Other: PropertyProtocol>(_ other: Other) -> Property<(Value, Other.Value)> {
        Properties.combineLatest(self, other)
    }

    /// This property's values and another's in step. See ``Properties/zip(_:)``.
    public func zip<Other: PropertyProtocol>(_ other: Other) -> Property<(Value, Other.Value)> {
        Properties.zip(self, other)
    }
}

extension PropertyProtocol {
    /// A property whose value is made from this one's.
    ///
    /// - Parameter transform: called for every read of the value, and for every value that a subscriber hears. It
    ///   should be quick, and return the same for the same value.
    public func map<Output: Sendable>(_ transform: @escaping @Sendable (Value) -> Output) -> Property<Output> {
        let source = readOnly
        return Property(get: { transform(source.value) }, values: AnySignal(source.values.map(transform)))
    }
}

extension PropertyProtocol where Value: Equatable {
    /// The same property, whose signals leave out values equal to the one sent before.
    public func removeDuplicates() -> Property<Value> {
        let source = readOnly
        return Property(get: { source.value }, values: AnySignal(source.values.removeDuplicates()))
    }
}

/// The subscription of a value that follows a signal. It lasts as long as anything refers to it: the property, its
/// copies, its signals, and every subscription to them.
///
/// It does not hold the value, whose subscribers hold it.
final class Following: Sendable {
    private let subscription = SerialDisposable()

    init<Value>(_ signal: some Signal<Value, Never>, into core: CurrentValueCore<Value, Never>) {
        subscription.set(signal.subscribe(CurrentValueWriter(core)))
    }

    deinit {
        subscription.dispose()
    }
}

/// The values of a property that follows a signal. Each subscription keeps it going.
struct FollowedValues<Value: Sendable>: Signal {
    typealias Failure = Never
    let core: CurrentValueCore<Value, Never>
    let following: Following
    let chain: Chain

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Never {
        core.output.attach(ReleasingObserver(observer, holding: KeptAlive(following)))
    }
}

/// Writes the values of a signal. It does not keep the owner of the value alive.
struct CurrentValueWriter<Value: Sendable>: Observer, ~Copyable {
    typealias Failure = Never
    private let core: CurrentValueCore<Value, Never>
    /// Whether the value ends with the signal.
    private let isWhole: Bool

    init(_ core: CurrentValueCore<Value, Never>, endsWithSignal isWhole: Bool = true) {
        self.core = core
        self.isWhole = isWhole
    }

    mutating func next(_ value: Value) -> Demand {
        core.write(value)
        return demand
    }

    mutating func lost(_ count: Int) { core.output.lost(count) }

    consuming func terminate(_ termination: Termination<Never>) {
        if isWhole { core.terminate(termination) }
    }

    var demand: Demand { core.output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { core.output.whenReady(resume) }
}
