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
    /// - Buffers: nothing.
    /// - Thread: the property is set where the source speaks.
    ///
    /// - Parameter property: set; not kept.
    /// - Returns: the handle that ends the binding.
    @discardableResult
    public func assign(to property: MutableProperty<Value>) -> any Disposable {
        // The one before goes first, so that the two never set it in turns.
        property.binding.set(FinishedDisposable())
        let handle = subscribe(CurrentValueWriter(property.core, endsWithSignal: false))
        property.binding.set(handle)
        return handle
    }
}
