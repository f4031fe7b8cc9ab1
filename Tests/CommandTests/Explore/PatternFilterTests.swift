import Filter
import JournalBridge
import Records
import TestSupport
import Testing

@testable import busctl_rx

/// The filter that `explore` makes of a chosen pattern.
@Suite("explore, filters of patterns")
struct PatternFilterTests {
    /// A record that has a message only.
    private struct Message: FilterRecord {
        let bytes: UnsafeRawBufferPointer

        func value(of field: FieldID) -> FieldValue { .text(bytes) }
    }

    /// Whether the filter of a pattern selects the message.
    ///
    /// - Parameter pattern: that of the message if `nil`.
    private func isFound(_ message: [UInt8], by pattern: String? = nil, isPlain: Bool) throws -> Bool {
        try message.withUnsafeBytes { bytes in
            let pattern = pattern ?? MessagePattern.text(of: bytes)
            let pieces = FilterPiece.candidates("pattern", pattern, isWanted: true, isPlain: isPlain)
            let filter = try CompiledFilter(try #require(pieces.first), schema: JournalSchema())
            return filter.matches(Message(bytes: bytes))
        }
    }

    private func isPlain(_ message: [UInt8]) -> Bool { message.withUnsafeBytes { Printable.isPrintable($0) } }

    @Test(
        "the filter of a pattern finds its messages",
        arguments: [
            "took 677ms, 64172MB of 1.5e-3", "on [::ffff:10.0.0.1]", "at Sat Jun 25 19:25:30 2005", "  a\t b  ",
            "\n\nfirst 1\nsecond", "a\r\nb", "\"5 6\" \"(5 6)\" \"x 5\"", "5", " \n", "<*> a", "用户123登录 失败",
            "(e\u{301} (\u{301} 5\u{301}",
            "\u{1B}[31mERROR\u{1B}[0m disk full", "\u{1B}[31mred\u{1B}[0m x\u{1B}", "bell\u{7} \u{B}\u{7F}rings\0",
            "\u{1B}[1;33mwarn 5\u{1B}[0m\nmore", "line\u{85}feed", "odd \u{FFFD} and \u{FFFE}",
        ]
    )
    func text(message: String) throws {
        let bytes = Array(message.utf8)
        #expect(try isFound(bytes, isPlain: false))
        if isPlain(bytes) { #expect(try isFound(bytes, isPlain: true)) }
    }

    @Test(
        "the filter of a pattern finds no messages that differ in a word or lack a space",
        arguments: [
            ("disk full", ["disk fill", "disk full now", "the disk full", "disk", "full", "diskfull", "a\ndisk full"]),
            ("disk <*> full", ["disk 5 fill", "disk 5 full now", "the disk 5 full", "disk 5", "disk5 full"]),
            ("open j\u{FFFD}r", ["open jr", "open j\u{FFFD}", "openj\u{FFFD}r"]),
        ]
    )
    func otherText(pattern: String, messages: [String]) throws {
        for message in messages {
            for isPlain in [true, false] {
                #expect(try !isFound(Array(message.utf8), by: pattern, isPlain: isPlain), "\(message), \(isPlain)")
            }
        }
    }

    @Test("the filter of a pattern finds messages with bytes that are not UTF-8")
    func notText() throws {
        for (head, tail) in [("open /home/j", "r"), ("open \"j", "r\" failed"), ("", " 5 x")] {
            #expect(try isFound(Array(head.utf8) + [0xFC] + Array(tail.utf8), isPlain: false))
        }
    }

    @Test("the filter of a pattern finds any message of it")
    func random() throws {
        let pieces = [
            "a", "foo", "5", "-", "+", "/", "::", "://", ".", "@", "'", "\"", "’", "“", "”", "<*>", "<", " ", "  ",
            "\n",
            "\r", "\t", "Jan ", "Sat, ", "ab:cd:", "5µs", "用户", "…", "(", ")", "[", "]", ",", "=", "\\", "\u{1B}[31m",
            "\u{1B}", "\u{1B}[0m", "/usr/lib", "10.0.0.1", "\u{301}", "\u{FFFD}", "\0", "$", "^", "{", "}", "|", "*",
        ].map { Array($0.utf8) }
        var random = SeededGenerator(46)
        for _ in 0..<Stress.rounds(500, stress: 50_000) {
            let message = (0..<random.number(0..<24)).flatMap { _ in
                random.chance(5) ? random.bytes(1) : random.pick(pieces)
            }
            #expect(try isFound(message, isPlain: false), "\(message)")
            if isPlain(message) { #expect(try isFound(message, isPlain: true), "\(message)") }
        }
    }
}
