import Synchronization

/// The memory that values may take while they wait for one observer. A queue's limit counts values; this bounds their bytes.
package final class MemoryRoom: Sendable {
    private let size: Int
    private let taken = Atomic<Int>(0)

    /// - Parameter size: a value of any size has room while less than this is taken. Otherwise the largest could never be
    ///   delivered.
    package init(_ size: Int) {
        self.size = size
    }

    /// A share for so many bytes; nil if there is no room. One thread at a time may ask.
    package func share(_ bytes: Int) -> Share? {
        // Only this thread adds to it, so it cannot grow between the two lines.
        guard taken.load(ordering: .relaxed) < size else { return nil }
        return Share(bytes, of: self)
    }

    /// The bytes that one value takes. Releasing the last reference gives them back.
    package final class Share: Sendable {
        private let bytes: Int
        private let room: MemoryRoom

        fileprivate init(_ bytes: Int, of room: MemoryRoom) {
            self.bytes = bytes
            self.room = room
            room.taken.add(bytes, ordering: .relaxed)
        }

        deinit { room.taken.subtract(bytes, ordering: .relaxed) }
    }
}
