/// A value to be read and followed, but not set: a view of a ``MutableProperty``, or a property made from others.
///
/// ```swift
/// import Bus
///
/// let used = MutableProperty(3)
/// let isFull = used.map { $0 >= 10 }.removeDuplicates()
/// let subscription = isFull.values.subscribe(next: { print($0) })
/// ```
///
/// A property made by `map` or `combineLatest` holds nothing: it computes its value when it is read, and makes its
/// signals from those of its inputs. None of them keeps a ``MutableProperty`` alive. When the ``MutableProperty``
/// dies, they complete, and ``value`` keeps its last value.
public struct Property<Value: Sendable>: PropertyProtocol {
    private let look: @Sendable () -> Value
    public let values: AnySignal<Value, Never>

    init(get look: @escaping @Sendable () -> Value, values: AnySignal<Value, Never>) {
        self.look = look
        self.values = values
    }

    /// A value that never changes. Its signal sends it and completes.
    public init(constant value: Value) {
        self.init(get: { value }, values: AnySignal(Signals.just(value)))
    }

    /// A property that follows a signal, from now on.
    ///
    /// It is subscribed to the signal as long as the property, a copy or a subscription to ``values`` exists, and
    /// ends with the signal.
    ///
    /// - Parameters:
    ///   - value: the value until the signal sends.
    ///   - signal: subscribed to at once.
    public init(initial value: Value, then signal: some Signal<Value, Never>) {
        let core = CurrentValueCore<Value, Never>(value, limit: 65_536)
        let following = Following(signal, into: core)
        let chain = signal.chain.appending("property")
        self.init(
            get: { withExtendedLifetime(following) { core.value } },
            values: AnySignal(FollowedValues(core: core, following: following, chain: chain))
        )
    }

    public var value: Value { look() }

    public var readOnly: Property<Value> { self }
}
