import Bus
import Synchronization

/// The memory that one subscription's large messages may take while they wait for its observer.
///
/// The queue's limit counts messages, and a peer may send one of 128 MiB. Small messages are bounded by their number;
/// a large message is lost and counted when those before it fill the room.
final class DBusRoom: Sendable {
    /// Only a message of more bytes takes room.
    static let small = 16 * 1024
    /// A message of any size has room while less than this is taken. Otherwise the largest could never be delivered.
    static let size = 64 * 1024 * 1024

    private let taken = Atomic<Int>(0)

    /// The message with its share of the room, until the parcel is opened or lost; nil if there is no room.
    func parcel(_ message: DBusMessage) -> DBusParcel? {
        let bytes = message.footprint
        guard bytes > Self.small else { return DBusParcel(message: message, share: nil) }
        // Only the connection's thread adds to it, so it cannot grow between the two lines.
        guard taken.load(ordering: .relaxed) < Self.size else { return nil }
        return DBusParcel(message: message, share: Share(bytes, of: self))
    }

    /// The bytes that one message takes. Releasing the last reference gives them back.
    final class Share: Sendable {
        private let bytes: Int
        private let room: DBusRoom

        fileprivate init(_ bytes: Int, of room: DBusRoom) {
            self.bytes = bytes
            self.room = room
            room.taken.add(bytes, ordering: .relaxed)
        }

        deinit { room.taken.subtract(bytes, ordering: .relaxed) }
    }
}

/// A message on its way to an observer.
struct DBusParcel: Sendable {
    let message: DBusMessage
    let share: DBusRoom.Share?
}

extension Emitter<DBusParcel, DBusError> {
    /// Sends the message, or reports it as lost.
    func send(_ message: DBusMessage, in room: DBusRoom) {
        if let parcel = room.parcel(message) { send(parcel) } else { sendLoss(of: 1) }
    }
}

extension DBusMessage {
    /// About how many bytes its arguments take in memory.
    var footprint: Int { arguments.reduce(0) { $0 + $1.footprint } }
}

extension DBusValue {
    /// About how many bytes it takes in memory.
    var footprint: Int {
        let own = MemoryLayout<DBusValue>.stride
        return switch self {
        case .string(let text), .objectPath(let text), .signature(let text): own + text.utf8.count
        case .bytes(let bytes): own + bytes.count
        case .array(let elements, _), .structure(let elements): elements.reduce(own) { $0 + $1.footprint }
        case .dictionary(let dictionary):
            dictionary.entries.reduce(own) { $0 + $1.key.footprint + $1.value.footprint }
        case .variant(let inner): own + inner.footprint
        default: own
        }
    }
}
