extension Signal where Failure == Never {
    /// Sets a property to each value, without keeping the property alive.
    ///
    /// ```
    /// self      --1---2---3---4--
    /// property  ------------x
    /// values    0-1---2---3-|
    /// ```
    ///
    /// A property is bound to one signal: binding it to another ends the first binding. It may still be set by hand. Two
    /// properties that are bound to each other set each other for ever, unless a `removeDuplicates()` is in between.
    ///
    /// - Ends: with the source, or at once when the property dies. The property does not end with the source.
    /// - Fails: never.
    /// - Cancelling: ends the binding; the property keeps the last value.
    /// - Thread: the property is set where the source sends.
    ///
    /// - Parameter property: set; not kept.
    /// - Returns: the handle that ends the binding.
    @discardableResult
    public func assign(to property: MutableProperty<Value>) -> any Disposable {
        assign(to: property.values)
    }

    /// Sets an ``Observed`` variable to each value: `signal.assign(to: station.$temperature)`.
    ///
    /// The object that has the variable may be of any class, and is not kept alive. In every other respect it is
    /// `assign(to:)` of a ``MutableProperty``.
    ///
    /// - Parameter values: the variable's `$name`.
    /// - Returns: the handle that ends the binding.
    @discardableResult
    public func assign(to values: PropertyValues<Value>) -> any Disposable {
        // The previous binding ends first, so that the two never set the variable in turns. A subscriber of the
        // variable may bind it to another signal while this one is subscribed to.
        let binding = SerialDisposable()
        values.binding.set(binding)
        binding.set(subscribe(CurrentValueWriter(values.core, endsWithSignal: false)))
        return binding
    }
}
