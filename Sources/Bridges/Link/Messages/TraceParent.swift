/// The place of a value in a distributed trace, in the form of the W3C's Trace Context: `00-TRACE-SPAN-FLAGS`, where TRACE has 32
/// hexadecimal digits in lower case, SPAN 16 and FLAGS 2. A later version may have more behind that.
public struct TraceParent: Sendable, Hashable, CustomStringConvertible {
    /// The whole text as it was given, at most 128 bytes.
    public let text: String

    /// - Returns: nil for a text that breaks the standard's rules: of another form, of the version `ff`, or with a trace or a span of zeros.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 128, parts.count >= 4, parts.prefix(4).map(\.count) == [2, 32, 16, 2],
            parts.prefix(4).allSatisfy({ $0.allSatisfy(Self.isDigit) }),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !parts[0].elementsEqual("ff".utf8), parts.count == 4 || !parts[0].elementsEqual("00".utf8),
            parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } })
        else { return nil }
        self.text = text
    }

    public var description: String { text }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}
