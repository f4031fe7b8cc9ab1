import Bus
import NATSBridge
import Records

/// Messages of a NATS server, as they are typed behind `nats:`: `//HOST:PORT/SUBJECT`, and behind a question mark where to
/// begin in a stream of JetStream and what to connect with.
struct NATSSelection: Equatable, Sendable {
    let server: NATSAddress
    let subject: String
    /// The stream that is read; `nil` for the one that stores the subject.
    let stream: String?
    /// Where in a stream it begins; `nil` where no stream is read.
    let start: NATSStart?

    static let example = "nats://127.0.0.1:4222/orders.>"

    init(operand: String) throws(SourceArgumentError) {
        do throws(AddressFlaw) {
            try self.init(url: operand)
        } catch {
            throw SourceArgumentError(error.description)
        }
    }

    private init(url operand: String) throws(AddressFlaw) {
        let url = operand.hasPrefix("//") ? "nats:" + operand : operand
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let (place, rest) = try NATSAddress.split(parts[0])
        guard let subject = PercentText.decoded(rest), !subject.isEmpty else {
            throw AddressFlaw("write a server and, behind a slash, a subject, as in \(Self.example)")
        }
        self.subject = subject
        var options = try URLOptions(
            parts.count > 1 ? parts[1] : "",
            names: ["from", "stream"] + NATSAddress.options
        )
        let start = try options.take("from").map(Self.start)
        stream = options.take("stream")
        self.start = start ?? (stream == nil ? nil : .new)
        server = try NATSAddress(place, &options)
    }

    private static func start(_ text: String) throws(AddressFlaw) -> NATSStart {
        switch text {
        case "first": return .first
        case "last": return .last
        case "new": return .new
        default:
            if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text), number > 0 {
                return .sequence(number)
            }
            guard let time = RecordTime(written: text) else {
                throw AddressFlaw(
                    "from= takes first, last, new, the number of a message, or a time as --since does"
                )
            }
            return .time(time)
        }
    }
}
