import Synchronization

/// The memory that values may take while they wait for one observer. A queue's limit counts values; this bounds their bytes.
package final class MemoryBudget: Sendable {
    /// Small values have a share together, of at most so many bytes: one for each would cost as much as a small value itself.
    private static let smallest = 4096

    private let size: Int
    private let taken: Taken
    /// How large a share may get by adding values.
    private let sharedSize: Int
    // Touched by the one thread that asks.
    nonisolated(unsafe) private var latest: Share?

    /// The bytes that are taken. Shares hold it and not the room, which holds one of them.
    fileprivate final class Taken: Sendable {
        let bytes = Atomic<Int>(0)
    }

    /// - Parameter size: a value of any size has room while less than this is taken. Otherwise the largest could never be
    ///   delivered.
    package init(_ size: Int) {
        self.size = size
        taken = Taken()
        // The last share stays taken, so it is a small part.
        sharedSize = min(Self.smallest, size / 64)
    }

    /// A share for so many bytes, perhaps with earlier values; nil if there is no room. One thread at a time may ask.
    package func share(_ bytes: Int) -> Share? {
        // Only this thread adds to it, so it cannot grow between the two lines.
        guard taken.bytes.load(ordering: .relaxed) < size else { return nil }
        if let latest, latest.bytes + bytes <= sharedSize {
            latest.bytes += bytes
            taken.bytes.add(bytes, ordering: .relaxed)
            return latest
        }
        let share = Share(bytes, of: taken)
        // Released here: a large value's room must not stay taken.
        latest = bytes <= sharedSize ? share : nil
        return share
    }

    /// The bytes that values take. Releasing the last reference gives them back.
    // Unchecked: the bytes are added to by the thread that asks for shares, while the room holds the share, and read at the end.
    package final class Share: @unchecked Sendable {
        fileprivate var bytes: Int
        private let taken: Taken

        fileprivate init(_ bytes: Int, of taken: Taken) {
            self.bytes = bytes
            self.taken = taken
            taken.bytes.add(bytes, ordering: .relaxed)
        }

        deinit { taken.bytes.subtract(bytes, ordering: .relaxed) }
    }
}
