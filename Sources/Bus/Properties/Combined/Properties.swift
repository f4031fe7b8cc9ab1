/// The namespace of what makes one property of several.
public enum Properties {
    /// The values of several properties together.
    ///
    /// It holds nothing: its value is looked at when asked for, one property after the other, and its signals are
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
}

extension PropertyProtocol {
    /// This property's value and another's together. See ``Properties/combineLatest(_:)``.
    public func combineLatest<Other: PropertyProtocol>(_ other: Other) -> Property<(Value, Other.Value)> {
        Properties.combineLatest(self, other)
    }
}
