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
