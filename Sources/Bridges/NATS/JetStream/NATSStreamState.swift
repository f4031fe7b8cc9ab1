import JSONScan

/// A stream as the server describes it, as far as reading and forwarding need that.
package struct NATSStreamState: Sendable {
    package private(set) var first: UInt64 = 0
    package private(set) var last: UInt64 = 0
    /// How many messages between the first and the last were removed.
    private(set) var removed: UInt64 = 0
    /// When the stream was made, as the server writes it: another stream of that name has another.
    package private(set) var made: String?
    /// Whether a message that is acknowledged is taken out of the stream.
    private(set) var isWorkQueue = false
    /// Whether several servers hold it.
    package private(set) var isReplicated = false
    /// For how many nanoseconds it knows an id, and takes a message with the same one for the same message (duplicate_window).
    package private(set) var duplicateWindow: Int64 = 0
    /// How many bytes the stream may have (max_bytes); nil for no limit.
    private var maxBytes: Int?
    private var isInMemory = false

    package init(_ payload: [UInt8]) {
        payload.withUnsafeBytes { bytes in
            var members = JSONMembers(bytes)
            while let member = members.next() {
                switch JetStreamAnswer.text(member.name) {
                case "created": made = JetStreamAnswer.string(member.value)
                case "state": readState(member.value)
                case "config": readConfiguration(member.value)
                default: break
                }
            }
        }
    }

    /// Messages that are missing where a reading begins; nil if nobody knows how many.
    struct Missing: Sendable, Equatable {
        let count: UInt64?
    }

    struct Beginning: Sendable, Equatable {
        let start: NATSStart
        var missing: Missing?
        /// Whether all messages from there on are there, and all are read.
        let isDense: Bool
    }

    /// Where a reading begins, in such a form that a reading which is interrupted before its first message begins there, too.
    ///
    /// - Parameters:
    ///   - subject: which is read; nil for all.
    ///   - isAnother: whether it is not the stream that the number in `start` is of.
    func beginning(of start: NATSStart, subject: String? = nil, isAnother: Bool = false) -> Beginning {
        let isDense = removed == 0 && subject == nil
        return switch start {
        case .new: Beginning(start: .after(last), isDense: isDense)
        case .last where last == 0: Beginning(start: .after(0), isDense: isDense)
        case .after(let number) where number > last || isAnother:
            Beginning(start: .first, missing: Missing(count: nil), isDense: isDense)
        case .after(let number) where first > 0 && number < first - 1:
            Beginning(start: .after(first - 1), missing: Missing(count: first - number - 1), isDense: isDense)
        default: Beginning(start: start, isDense: isDense)
        }
    }

    private mutating func readState(_ value: UnsafeRawBufferPointer) {
        var members = JSONMembers(value)
        while let member = members.next() {
            switch JetStreamAnswer.text(member.name) {
            case "first_seq": first = UInt64(JetStreamAnswer.text(member.value)) ?? 0
            case "last_seq": last = UInt64(JetStreamAnswer.text(member.value)) ?? 0
            case "num_deleted": removed = UInt64(JetStreamAnswer.text(member.value)) ?? 0
            default: break
            }
        }
    }

    private mutating func readConfiguration(_ value: UnsafeRawBufferPointer) {
        var members = JSONMembers(value)
        while let member = members.next() {
            let text = JetStreamAnswer.text(member.value)
            switch JetStreamAnswer.text(member.name) {
            case "retention": isWorkQueue = text == #""workqueue""#
            case "num_replicas": isReplicated = text != "1"
            case "duplicate_window": duplicateWindow = Int64(text) ?? 0
            case "storage": isInMemory = text == #""memory""#
            case "max_bytes": maxBytes = Int(text).flatMap { $0 > 0 ? $0 : nil }
            default: break
            }
        }
    }
}

extension NATSStreamState {
    /// Whether the stream is large enough for any message that a server takes, of which ``flaw(ofMessageTo:id:bytes:)`` is `nil` then.
    package var takesAnySize: Bool { maxBytes.map { $0 > 2 * NATSMessage.maxSize } ?? true }

    /// Why the stream can never store a message of that size, if so. A stream that discards old messages acknowledges it, and
    /// removes it at once.
    ///
    /// - Parameters:
    ///   - id: the message's Nats-Msg-Id.
    ///   - bytes: of its payload.
    package func flaw(ofMessageTo subject: String, id: String, bytes: Int) -> String? {
        guard let maxBytes else { return nil }
        let headers: NATSHeaders = ["Nats-Msg-Id": id]
        // What nats-server adds to a message in a file or in memory.
        let size = subject.utf8.count + headers.size + bytes + (isInMemory ? 16 : 34)
        guard size > maxBytes else { return nil }
        return "it takes \(size) bytes, and the whole stream may have \(maxBytes) (max_bytes)"
    }
}

extension NATSConnection {
    /// - Throws: ``NATSError``, also when there is no such stream.
    package func state(ofStream stream: String) async throws(NATSError) -> NATSStreamState {
        let operation = "look up the stream \"\(stream)\""
        return NATSStreamState(try await askJetStream("STREAM.INFO.\(stream)", "", operation).payload)
    }

    /// The headers of a message as the stream's leader has it, in Base64; empty if it has none.
    ///
    /// - Throws: ``NATSError``, with the code 10037 when the stream has no such message.
    package func headers(ofMessage sequence: UInt64, inStream stream: String) async throws(NATSError) -> String {
        let operation = "read message \(sequence) of the stream \"\(stream)\""
        let answer = try await askJetStream("STREAM.MSG.GET.\(stream)", #"{"seq":\#(sequence)}"#, operation)
        return JetStreamAnswer.Message(in: answer.payload)?.headers ?? ""
    }
}
