#if NATS
    import Synchronization

    /// The memory that one subscription's messages may take while they wait for its observer.
    final class NATSRoom: Sendable {
        /// A message of any size has room while less than this is taken. Otherwise the largest could never be delivered.
        private let size: Int
        private let taken = Atomic<Int>(0)

        init(_ size: Int) {
            self.size = size
        }

        /// A share for so many bytes; nil if there is no room.
        func share(_ bytes: Int) -> Share? {
            // Only the thread that delivers for libnats adds to it, so it cannot grow between the two lines.
            guard taken.load(ordering: .relaxed) < size else { return nil }
            return Share(bytes, of: self)
        }

        /// The bytes that one message takes. Releasing the last reference gives them back.
        final class Share: Sendable {
            private let bytes: Int
            private let room: NATSRoom

            fileprivate init(_ bytes: Int, of room: NATSRoom) {
                self.bytes = bytes
                self.room = room
                room.taken.add(bytes, ordering: .relaxed)
            }

            deinit { room.taken.subtract(bytes, ordering: .relaxed) }
        }
    }

    /// A message on its way to an observer.
    struct NATSParcel: Sendable {
        let message: NATSMessage
        let share: NATSRoom.Share?
    }
#endif
