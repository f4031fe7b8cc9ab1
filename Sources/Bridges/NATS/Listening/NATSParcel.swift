import Bus
import CNATS

/// A message on its way to an observer. It is still libnats's: it is copied on the observer's thread, so that the thread of
/// libnats has little to do, and each copy is freed on the thread that has made it.
@usableFromInline
struct NATSParcel: Sendable {
    private let message: Owned

    /// - Parameters:
    ///   - size: how many bytes it has, headers included.
    ///   - share: the message's share of the memory that the subscription's messages may take.
    init(_ message: OpaquePointer, size: Int, _ share: MemoryBudget.Share) {
        self.message = Owned(message, size, share)
    }

    /// A copy of the message.
    @usableFromInline
    func read() -> NATSMessage { NATSMessage(reading: message.pointer) }

    // Unchecked: nobody else has the message, and one thread at a time has the parcel.
    private final class Owned: @unchecked Sendable {
        let pointer: OpaquePointer
        private let size: Int
        private let share: MemoryBudget.Share

        init(_ pointer: OpaquePointer, _ size: Int, _ share: MemoryBudget.Share) {
            self.pointer = pointer
            self.size = size
            self.share = share
        }

        deinit { NATSSpentMessages.shared.destroy(pointer, size: size) }
    }
}
