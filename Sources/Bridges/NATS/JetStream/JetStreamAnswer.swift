import CNATS
import JSONScan

/// An answer of JetStream, in JSON.
struct JetStreamAnswer {
    private(set) var stream: String?
    private(set) var sequence: UInt64?
    private(set) var isDuplicate = false
    private(set) var error: NATSError.Reason?
    /// Whether the answer is a JSON object.
    private(set) var isComplete = false

    init(_ bytes: UnsafeRawBufferPointer) {
        var members = JSONMembers(bytes)
        while let member = members.next() {
            if member.isNamed("stream") {
                stream = Self.string(member.value)
            } else if member.isNamed("seq") {
                sequence = UInt64(decimal: member.value)
            } else if member.isNamed("duplicate") {
                isDuplicate = Self.text(member.value) == "true"
            } else if member.isNamed("error") {
                error = Self.error(member.value)
            }
        }
        isComplete = members.isComplete
    }

    init(_ payload: [UInt8]) {
        self = payload.withUnsafeBytes { Self($0) }
    }

    struct Refusal: Error {
        let reason: NATSError.Reason
    }

    /// - Parameter message: a message of libnats.
    static func acknowledgement(_ message: OpaquePointer) -> Result<NATSAcknowledgement, Refusal> {
        let count = Int(natsMsg_GetDataLength(message))
        guard count > 0, let data = natsMsg_GetData(message) else {
            let isUnheard = NATSMessage(reading: message).isNoResponders
            return .failure(Refusal(reason: isUnheard ? .noResponders : Self([]).flaw("")))
        }
        let bytes = UnsafeRawBufferPointer(start: data, count: count)
        return Self(bytes).acknowledgement(text(bytes))
    }

    /// - Parameter text: the answer, for the error.
    func acknowledgement(_ text: @autoclosure () -> String) -> Result<NATSAcknowledgement, Refusal> {
        if let error { return .failure(Refusal(reason: error)) }
        guard isComplete, let stream, let sequence else { return .failure(Refusal(reason: flaw(text()))) }
        // Some servers answer so while a message with the same id is on its way to the others; newer ones send this error.
        guard sequence > 0 else {
            let text = "a message with the same id is not stored yet"
            return .failure(Refusal(reason: .jetStream(code: 10158, text: text)))
        }
        return .success(NATSAcknowledgement(stream: stream, sequence: sequence, isDuplicate: isDuplicate))
    }

    private func flaw(_ text: String) -> NATSError.Reason {
        .jetStream(code: 0, text: "the answer is no acknowledgement: \(text)")
    }

    private static func error(_ value: UnsafeRawBufferPointer) -> NATSError.Reason {
        var members = JSONMembers(value)
        var (code, detail, text) = (0, 0, "")
        while let member = members.next() {
            switch Self.text(member.name) {
            case "code": code = Int(Self.text(member.value)) ?? 0
            case "err_code": detail = Int(Self.text(member.value)) ?? 0
            case "description": text = string(member.value) ?? ""
            default: break
            }
        }
        return .jetStream(code: detail == 0 ? code : detail, text: text)
    }

    /// A number at the top of an answer.
    static func number(_ name: String, in payload: [UInt8]) -> UInt64? {
        payload.withUnsafeBytes { bytes in
            var members = JSONMembers(bytes)
            while let member = members.next() {
                if text(member.name) == name { return UInt64(text(member.value)) }
            }
            return nil
        }
    }

    /// A list of texts without escapes at the top of an answer, such as names of streams.
    static func texts(named name: String, in payload: [UInt8]) -> [String] {
        payload.withUnsafeBytes { bytes in
            var members = JSONMembers(bytes)
            while let member = members.next() {
                guard text(member.name) == name else { continue }
                let parts = text(member.value).split(separator: "\"", omittingEmptySubsequences: false)
                return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
            return []
        }
    }

    /// The message that an answer holds.
    struct Message {
        private(set) var subject: String
        private(set) var sequence: UInt64 = 0
        /// In Base64; empty if it has none.
        private(set) var headers = ""
        private(set) var payload: [UInt8] = []

        /// Nil for an answer without one.
        init?(in answer: [UInt8]) {
            guard let message = answer.withUnsafeBytes({ Self($0) }) else { return nil }
            self = message
        }

        private init?(_ answer: UnsafeRawBufferPointer) {
            var members = JSONMembers(answer)
            var message: UnsafeRawBufferPointer?
            while let member = members.next() { if member.isNamed("message") { message = member.value } }
            guard let message, members.isComplete else { return nil }
            members = JSONMembers(message)
            subject = ""
            while let member = members.next() {
                if member.isNamed("subject") {
                    subject = JetStreamAnswer.string(member.value) ?? ""
                } else if member.isNamed("seq") {
                    sequence = UInt64(decimal: member.value) ?? 0
                } else if member.isNamed("hdrs") {
                    headers = JetStreamAnswer.string(member.value) ?? ""
                } else if member.isNamed("data") {
                    // In quotes, without escapes.
                    let text = UnsafeRawBufferPointer(rebasing: member.value.dropFirst().dropLast())
                    guard let bytes = Base64.decode(text) else { return nil }
                    payload = bytes
                }
            }
            guard members.isComplete, sequence > 0 else { return nil }
        }
    }

    static func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The text between the quotes.
    static func string(_ value: UnsafeRawBufferPointer) -> String? {
        guard value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") else {
            return nil
        }
        let inner = UnsafeRawBufferPointer(rebasing: value[1..<value.count - 1])
        guard inner.contains(UInt8(ascii: "\\")) else { return text(inner) }
        return JSONEscapes.removed(from: inner).map { String(decoding: $0, as: UTF8.self) }
    }
}
