/// The rules of subjects: tokens with dots between them.
package enum NATSSubject {
    /// A server ends a connection that sends a line of more than 4,096 bytes. Two subjects and two numbers fit.
    static let maxLength = 1024

    /// Why nothing can be sent to a subject, if so.
    package static func flaw(inName subject: String) -> String? {
        if isPlain(subject) { return nil }
        return flaw(subject) { token in
            token == "*" || token == ">" ? "a message is sent to one subject, so that * and > are not allowed" : nil
        }
    }

    /// Whether it is a subject without a wildcard. Fast, because each message that is sent is asked for it; false for some
    /// subjects that are correct.
    private static func isPlain(_ subject: String) -> Bool {
        let isPlain = subject.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            guard bytes.count <= maxLength else { return false }
            var previous = UInt8(ascii: ".")
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "."): if previous == byte { return false }
                case 0...32, 127, UInt8(ascii: "*"), UInt8(ascii: ">"): return false
                default: break
                }
                previous = byte
            }
            return previous != UInt8(ascii: ".")
        }
        return isPlain ?? false
    }

    /// Why a subject cannot be listened to, if so. `*` stands for one token, `>` at the end for one or more.
    static func flaw(inPattern subject: String) -> String? {
        if let flaw = flaw(subject, { _ in nil }) { return flaw }
        let tokens = subject.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return tokens.dropLast().contains { $0.elementsEqual(">".utf8) }
            ? "\"\(subject)\" is not a subject: > is allowed at the end alone" : nil
    }

    /// The error in a queue group's name, or nil.
    static func flaw(inGroup name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= maxLength, name.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
            return "\"\(name)\" is not the name of a queue group (1 to \(maxLength) bytes, no spaces)"
        }
        return nil
    }

    private static func flaw(_ subject: String, _ flawOfToken: (Substring) -> String?) -> String? {
        guard !subject.isEmpty else { return "a subject has at least one character" }
        guard subject.utf8.count <= maxLength else {
            return "a subject of \(subject.utf8.count) bytes is too long; \(maxLength) are allowed"
        }
        guard subject.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
            return "\"\(subject)\" is not a subject: spaces and control characters are not allowed"
        }
        for token in subject.split(separator: ".", omittingEmptySubsequences: false) {
            guard !token.isEmpty else {
                return
                    "\"\(subject)\" is not a subject: between two dots, and at both ends, there is at least one character"
            }
            if let flaw = flawOfToken(token) { return "\"\(subject)\": \(flaw)" }
        }
        return nil
    }
}
