/// A value, its last writer and its version: enough to write only if nobody else has written meanwhile.
@usableFromInline
package struct CurrentValueState<Value: Sendable>: Sendable {
    @usableFromInline var value: Value
    /// How often it was written.
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var hasEnded = false
    /// The thread that wrote last, and the version before the first of its writes in a row.
    @usableFromInline var writer: UInt = 0
    @usableFromInline var versionBeforeWriter: UInt64 = 0

    @usableFromInline
    package init(_ value: Value) {
        self.value = value
    }

    /// Writes, and returns the previous value.
    @inlinable
    package mutating func write(_ new: Value, by thread: UInt) -> Value {
        if writer != thread {
            writer = thread
            versionBeforeWriter = version
        }
        version &+= 1
        let old = value
        value = new
        return old
    }

    /// Whether the value read at `version` is still the last that another thread wrote. If the same thread has written since,
    /// it did so while it was computing what to write, and this write comes after.
    @inlinable
    package func isCurrent(_ version: UInt64, for thread: UInt) -> Bool {
        version == self.version || (writer == thread && versionBeforeWriter <= version)
    }
}
