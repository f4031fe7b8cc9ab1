import Bus
import CNATS

/// Destroys messages of libnats, several together.
///
/// libnats frees a destroyed message on a thread of its own, which it wakes when it sleeps. To wake it for each message takes longer than
/// all else that is done with a small one. So a few wait here, for the whole process, until there are enough of them.
final class NATSSpentMessages: Sendable {
    static let shared = NATSSpentMessages()

    /// At most so many wait, and at most so many bytes of them and one message.
    private static let maxCount = 256
    private static let maxBytes = 256 * 1024

    // Unchecked: whoever puts a pointer in here has let go of it.
    private struct State: @unchecked Sendable {
        var messages: [OpaquePointer] = []
        var bytes = 0
    }

    private let state = Lock(State())

    /// - Parameter size: how many bytes the message has, headers included.
    func destroy(_ message: OpaquePointer, size: Int) {
        let full = state.withLock { state -> State? in
            state.messages.append(message)
            state.bytes += min(size, Self.maxBytes)
            guard state.messages.count >= Self.maxCount || state.bytes >= Self.maxBytes else { return nil }
            defer {
                state = State()
                state.messages.reserveCapacity(Self.maxCount)
            }
            return state
        }
        for message in full?.messages ?? [] { natsMsg_Destroy(message) }
    }
}
