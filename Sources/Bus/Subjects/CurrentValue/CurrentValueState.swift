/// A value, and who wrote it when: enough to write only what was not written meanwhile.
@usableFromInline
package struct CurrentValueState<Value: Sendable>: Sendable {
    @usableFromInline var value: Value
    /// How often it was written.
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var hasEnded = false
    /// The thread that wrote last, and the version before the first of its writes that no other thread came between.
    @usableFromInline var writer: UInt = 0
    @usableFromInline var versionBeforeWriter: UInt64 = 0

    @usableFromInline
    package init(_ value: Value) {
        self.value = value
    }

    /// Writes, and answers what was there before.
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

    /// Whether what was read at `version` is still what another thread last wrote. What the same thread wrote since, it
    /// wrote while it was working out what to write, and that comes after.
    @inlinable
    package func isCurrent(_ version: UInt64, for thread: UInt) -> Bool {
        version == self.version || (writer == thread && versionBeforeWriter <= version)
    }
}
