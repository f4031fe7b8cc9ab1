import Bus

/// The memory that one subscription's large messages may take while they wait for its observer.
///
/// The queue's limit counts messages, and a peer may send one of 128 MiB. Small messages are bounded by their number;
/// a large message is lost and counted when those before it fill the capacity.
struct DBusCapacity: Sendable {
    /// Only a message of more bytes takes capacity.
    static let small = 16 * 1024
    static let size = 64 * 1024 * 1024
    /// An open file counts for so many bytes. A process may have 1,024 as a rule, and 256 fill the capacity.
    static let descriptor = 256 * 1024

    private let memory = MemoryBudget(Self.size)

    /// The message with its share of the capacity, until the parcel is opened or lost; nil if there is too little. On the connection's
    /// thread.
    func parcel(_ message: DBusMessage) -> DBusParcel? {
        let bytes = message.footprint
        guard bytes > Self.small else { return DBusParcel(message: message, share: nil) }
        return memory.share(bytes).map { DBusParcel(message: message, share: $0) }
    }
}

/// A message on its way to an observer.
struct DBusParcel: Sendable {
    let message: DBusMessage
    let share: MemoryBudget.Share?
}

extension Emitter<DBusParcel, DBusError> {
    /// Sends the message, or reports it as lost.
    func send(_ message: DBusMessage, in capacity: DBusCapacity) {
        if let parcel = capacity.parcel(message) { send(parcel) } else { sendLoss(of: 1) }
    }
}

extension DBusMessage {
    /// About how many bytes it takes in memory. A path may have any length; other names have 255 bytes at most.
    var footprint: Int { (path?.utf8.count ?? 0) + arguments.reduce(0) { $0 + $1.footprint } }
}

extension DBusValue {
    /// About how many bytes it takes in memory; an open file counts for more.
    var footprint: Int {
        let own = MemoryLayout<DBusValue>.stride
        return switch self {
        case .string(let text), .objectPath(let text), .signature(let text): own + text.utf8.count
        case .bytes(let bytes): own + bytes.count
        case .array(let elements, _), .structure(let elements): elements.reduce(own) { $0 + $1.footprint }
        case .dictionary(let dictionary):
            dictionary.entries.reduce(own) { $0 + $1.key.footprint + $1.value.footprint }
        case .variant(let inner): own + inner.footprint
        case .descriptor: own + DBusCapacity.descriptor
        default: own
        }
    }
}
