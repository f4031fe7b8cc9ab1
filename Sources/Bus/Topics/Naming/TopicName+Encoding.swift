extension TopicName {
    /// One token for any text, such as the name of a unit, which has dots: `nginx.service` is `nginx%2Eservice`.
    ///
    /// ```swift
    /// import Bus
    ///
    /// struct Failure: Sendable { var unit: String }
    ///
    /// let bus = NotificationBus()
    /// let failures = Subject(of: Failure.self)
    /// let posting = failures.post(on: bus) { failure in
    ///     try? Topic(checking: "unit.failed.\(TopicName.token(encoding: failure.unit))")
    /// }
    /// ```
    ///
    /// Bytes that a token cannot have, and `%`, are written as `%` and two hexadecimal digits; an empty text is `%`.
    public static func token(encoding text: String) -> String {
        guard !text.isEmpty else { return "%" }
        var token: [UInt8] = []
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F, !".%*>".utf8.contains(byte) {
                token.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                token += Array("%\(digits.count == 1 ? "0" : "")\(digits)".utf8)
            }
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// The text of a token that ``token(encoding:)`` made; `nil` for a token that it cannot have made.
    public static func text(decoding token: some StringProtocol) -> String? {
        let text = token == "%" ? "" : PercentText.decoded(Substring(token))
        guard let text, Self.token(encoding: text) == token else { return nil }
        return text
    }
}

/// Text in which `%` and two hexadecimal digits stand for a byte.
package enum PercentText {
    /// `nil` where something else follows a `%`, or the result is not UTF-8.
    package static func decoded(_ text: Substring) -> String? {
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
                digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
