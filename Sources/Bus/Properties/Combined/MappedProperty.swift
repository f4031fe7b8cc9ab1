extension PropertyProtocol {
    /// A property whose value is made of this one's.
    ///
    /// - Parameter transform: called for every look at the value, and for every value heard by every subscriber; so it
    ///   should be quick, and answer the same for the same.
    public func map<Output: Sendable>(_ transform: @escaping @Sendable (Value) -> Output) -> Property<Output> {
        let source = readOnly
        return Property(get: { transform(source.value) }, values: AnySignal(source.values.map(transform)))
    }
}

extension PropertyProtocol where Value: Equatable {
    /// The same property, whose signals leave out what equals the value sent before.
    public func removeDuplicates() -> Property<Value> {
        let source = readOnly
        return Property(get: { source.value }, values: AnySignal(source.values.removeDuplicates()))
    }
}
