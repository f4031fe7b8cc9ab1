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
