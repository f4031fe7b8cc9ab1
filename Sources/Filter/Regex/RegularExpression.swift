import CRE2

/// A compiled RE2 pattern: matching takes time linear in the text, whatever the pattern.
// Sendable: an RE2 object is immutable and matches from any thread, and the handle never changes.
final class RegularExpression: @unchecked Sendable {
    let handle: OpaquePointer

    let source: String

    /// Instructions of RE2's program, each of which it may have to look at for each byte of the text.
    let size: Int

    /// The limits for patterns.
    struct Limits {
        /// Bytes for the program and the states that matching builds up.
        var memory: Int
        /// Instructions, as `PatternSize` estimates them.
        var size: Int

        /// For a pattern from a record: it may be a different one each time.
        static let ofRecords = Limits(memory: 256 << 10, size: 2_000)
    }

    struct Refusal: Error, CustomStringConvertible {
        let reason: String
        /// The part of the pattern that RE2 objects to; empty when that is the whole pattern.
        let argument: String

        /// Both. RE2 names the offending part in most of its reasons, but not in all.
        var description: String {
            argument.isEmpty || reason.hasSuffix(argument) ? reason : "\(reason): \(argument)"
        }
    }

    init(_ pattern: UnsafeRawBufferPointer, _ limits: Limits) throws(Refusal) {
        let estimate = PatternSize.estimate(pattern)
        guard estimate <= limits.size else {
            throw Refusal(
                reason: "it would need up to \(estimate) instructions, and at most \(limits.size) are accepted",
                argument: ""
            )
        }
        var failure = cre2_failure()
        guard let handle = cre2_compile(pattern.baseAddress, pattern.count, Int64(limits.memory), &failure) else {
            throw Refusal(reason: Self.text(failure.reason), argument: Self.text(failure.argument))
        }
        self.handle = handle
        source = String(decoding: pattern, as: UTF8.self)
        size = Int(cre2_size(handle))
    }

    static func compile(_ pattern: [UInt8], _ limits: Limits) throws(Refusal) -> RegularExpression {
        try pattern.withUnsafeBytes { bytes in
            Result { () throws(Refusal) in try RegularExpression(bytes, limits) }
        }.get()
    }

    /// Whether the pattern matches anywhere in the text.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        cre2_matches(handle, text.baseAddress, text.count)
    }

    /// The first match within the range, which may be empty. The text around the range counts for `^`, `$` and `\b`.
    func firstMatch(in text: UnsafeRawBufferPointer, within range: Range<Int>) -> Range<Int>? {
        var (start, length) = (0, 0)
        guard
            cre2_find_match(
                handle,
                text.baseAddress,
                text.count,
                range.lowerBound,
                range.upperBound,
                &start,
                &length
            )
        else { return nil }
        return start..<(start + length)
    }

    deinit {
        cre2_free(handle)
    }

    private static func text(_ characters: some Any) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
