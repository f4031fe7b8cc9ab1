import CRE2

/// A compiled RE2 pattern: matching takes time linear in the text, whatever the pattern.
// Sendable: an RE2 object is immutable and matches from any thread, and the handle never changes.
final class RegularExpression: @unchecked Sendable {
    let handle: OpaquePointer

    let source: String

    /// What a match costs for every ten bytes of text.
    let cost: Int

    /// Bytes of a pattern, at most. One may come from a record's field, and parsing takes far more memory than the
    /// pattern.
    private static let lengthLimit = 1 << 16

    struct Refusal: Error {
        let reason: String
        /// The part of the pattern that RE2 objects to; empty when that is all of it.
        let argument: String
    }

    /// - Parameter memory: bytes for the program and the states that matching builds up.
    init(_ pattern: UnsafeRawBufferPointer, memory: Int) throws(Refusal) {
        guard pattern.count <= Self.lengthLimit else {
            throw Refusal(
                reason: "it has \(pattern.count) bytes, and at most \(Self.lengthLimit) are accepted",
                argument: ""
            )
        }
        var failure = cre2_failure()
        guard let handle = cre2_compile(pattern.baseAddress, pattern.count, Int64(memory), &failure) else {
            throw Refusal(reason: Self.text(failure.reason), argument: Self.text(failure.argument))
        }
        self.handle = handle
        source = String(decoding: pattern, as: UTF8.self)
        cost = 1 + pattern.count / 4
    }

    static func compile(_ pattern: [UInt8], memory: Int) throws(Refusal) -> RegularExpression {
        try pattern.withUnsafeBytes { bytes in
            Result { () throws(Refusal) in try RegularExpression(bytes, memory: memory) }
        }.get()
    }

    /// Whether the pattern matches anywhere in the text.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        cre2_matches(handle, text.baseAddress, text.count)
    }

    deinit {
        cre2_free(handle)
    }

    private static func text(_ characters: some Any) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
