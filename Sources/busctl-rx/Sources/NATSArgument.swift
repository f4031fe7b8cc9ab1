import NATSBridge

/// Messages of a NATS server, as they are typed behind `nats:`: `//HOST:PORT/SUBJECT`, and behind a question mark where to
/// begin in a stream of JetStream and what to connect with.
struct NATSArgument: Equatable {
    enum Start: Equatable {
        case first, last, new
        case sequence(UInt64)
        /// In microseconds since 1970.
        case time(Int64)
    }

    let server: NATSServerArgument
    let subject: String
    /// The stream that is read; `nil` for the one that stores the subject.
    let stream: String?
    /// Where in a stream it begins; `nil` where no stream is read.
    let start: Start?

    static let example = "nats://127.0.0.1:4222/orders.>"

    init(operand: String) throws {
        let url = operand.hasPrefix("//") ? "nats:" + operand : operand
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let (place, rest) = try NATSServerArgument.split(parts[0])
        guard let subject = PercentText.decoded(rest), !subject.isEmpty else {
            throw BadValue(description: "write a server and, behind a slash, a subject, as in \(Self.example)")
        }
        self.subject = subject
        var options = try URLOptions(
            parts.count > 1 ? parts[1] : "",
            names: ["from", "stream"] + NATSServerArgument.options
        )
        let start = try options.take("from").map(Self.start)
        stream = options.take("stream")
        self.start = start ?? (stream == nil ? nil : .new)
        server = try NATSServerArgument(place, &options)
    }

    private static func start(_ text: String) throws -> Start {
        switch text {
        case "first": return .first
        case "last": return .last
        case "new": return .new
        default:
            if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text), number > 0 {
                return .sequence(number)
            }
            guard let time = try? TimeArgument(argument: text) else {
                throw BadValue(
                    description: "from= takes first, last, new, the number of a message, or a time as --since does"
                )
            }
            return .time(time.microseconds)
        }
    }
}

typealias NATSServerArgument = NATSAddress

extension NATSAddress {
    /// The value of `--to`: `nats://HOST:PORT`, with `?creds=FILE` and `ca=FILE`.
    init(argument: String) throws {
        let text =
            argument.hasPrefix("nats:nats://") || argument.hasPrefix("nats:tls://")
            ? argument.dropFirst(5) : argument[...]
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let (place, rest) = try Self.split(parts[0])
        guard rest.isEmpty else {
            throw BadValue(description: "write the subject with --subject, and the server alone as nats://HOST:PORT")
        }
        var options = try URLOptions(parts.count > 1 ? parts[1] : "", names: Self.options)
        try self.init(place, &options)
    }
}
