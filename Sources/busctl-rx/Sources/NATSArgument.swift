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
        let (place, rest) = NATSServerArgument.split(parts[0])
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

/// A NATS server and what to connect with.
struct NATSServerArgument: Equatable {
    /// With user and password, if they were typed.
    let address: String
    /// A file with a user's credentials.
    let credentials: String?
    /// A file with the certificates that the server's is checked against.
    let authority: String?

    static let options = ["creds", "ca"]

    /// - Parameters:
    ///   - address: `nats://HOST:PORT` or `tls://HOST:PORT`.
    ///   - options: `creds` and `ca` are taken from it.
    init(_ address: Substring, _ options: inout URLOptions) throws {
        guard let scheme = address.firstRange(of: "://"), ["nats", "tls"].contains(address[..<scheme.lowerBound]),
            scheme.upperBound < address.endIndex
        else {
            throw BadValue(description: "write a server as nats://HOST:PORT or tls://HOST:PORT")
        }
        self.address = String(address)
        credentials = options.take("creds")
        authority = options.take("ca")
    }

    /// The value of `--to`: `nats://HOST:PORT`, with `?creds=FILE` and `ca=FILE`.
    init(argument: String) throws {
        let text =
            argument.hasPrefix("nats:nats://") || argument.hasPrefix("nats:tls://")
            ? argument.dropFirst(5) : argument[...]
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let (place, rest) = Self.split(parts[0])
        guard rest.isEmpty else {
            throw BadValue(description: "write the subject with --subject, and the server alone as nats://HOST:PORT")
        }
        var options = try URLOptions(parts.count > 1 ? parts[1] : "", names: Self.options)
        try self.init(place, &options)
    }

    /// The server, and what stands behind the slash that follows it.
    static func split(_ url: Substring) -> (server: Substring, path: Substring) {
        let host = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        guard let slash = url[host...].firstIndex(of: "/") else { return (url, "") }
        return (url[..<slash], url[url.index(after: slash)...])
    }
}

/// The options behind the question mark of an address: `name=value&name=value`.
struct URLOptions {
    private var values: [String: String] = [:]

    /// - Parameter names: those that are known.
    init(_ text: Substring, names: [String]) throws {
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard names.contains(String(pair[0])) else {
                throw BadValue(
                    description:
                        "there is no option '\(pair[0])' behind the question mark; there are \(names.joined(separator: ", "))"
                )
            }
            guard pair.count == 2, let value = PercentText.decoded(pair[1]), !value.isEmpty else {
                throw BadValue(description: "\(pair[0]) needs a value, as in \(pair[0])=…")
            }
            guard values.updateValue(value, forKey: String(pair[0])) == nil else {
                throw BadValue(description: "\(pair[0]) is given twice")
            }
        }
    }

    mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }
}

/// Text in which `%` and two hexadecimal digits stand for a byte.
enum PercentText {
    /// `nil` where something else follows a `%`, or the result is not UTF-8.
    static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                digits.first != UInt8(ascii: "+")
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
