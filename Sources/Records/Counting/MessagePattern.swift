/// The common text of messages of one kind, with `<*>` for each part that varies.
///
///     sshd[812]: Accepted password for joe from 10.0.3.7 port 51514    sshd[<*>]: Accepted password for joe from <*> port <*>
///     sda1: error -5 on "/var/lib/db", 677ms                           <*>: error <*> on "<*>", <*>
///
/// Masked are:
/// - words with a digit, with the words that `.`, `-`, `/` and `@` tie to them, and with their sign: `-5`, `677ms`, `0x1F`,
///   `svc73`, `10.0.3.7`, `web-1.example.org`, a UUID; and words that `@` ties together,
/// - IPv6 and MAC addresses,
/// - the names of days and months in front of a number,
/// - absolute paths, and URLs,
/// - one word in quotation marks. Several words in them are read as other text, because programs quote messages, too.
///
/// Masks with only spaces and punctuation between them are joined. A run of spaces is one space.
///
/// A pattern depends on its message alone. Counts by pattern can therefore be added, whatever records they were made from. The
/// price: a word without digits is never seen to vary. Methods that learn from earlier messages see it for some (He et al.,
/// "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS 2017).
///
/// Grouping accuracy is the share of messages whose group is exactly one of the hand-made groups (Zhu et al., "Tools and
/// Benchmarks for Automated Log Parsing", ICSE-SEIP 2019). No whole sample of LogHub (github.com/logpai/loghub) was measured, only
/// one short run of consecutive messages from each of four, typed in again with some of the numbers changed: 1.00 for Mac (65
/// messages) and OpenStack (45), 0.53 for Linux (95) and 0.41 for OpenSSH (91). All misses are names of users and of hosts,
/// which have a group each. Figures published for whole samples cannot be compared with these.
package enum MessagePattern {
    /// Stands for a part that varies.
    package static let mask = "<*>"
    /// The largest length of a pattern in bytes of UTF-8. A longer one ends with `…`.
    package static let maxLength = 512
    /// How many bytes of a message are read.
    static let maxRead = 4096

    /// The pattern of a message's first line that is not blank. Bytes that are not UTF-8 are U+FFFD.
    ///
    /// The pattern of a pattern is itself.
    package static func text(of message: UnsafeRawBufferPointer) -> String {
        message.withMemoryRebound(to: UInt8.self) { message in
            guard let bytes = message.baseAddress else { return "" }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maxLength) { pattern in
                guard let start = pattern.baseAddress else { return "" }
                var masking = PatternMasking(bytes, message.count, into: start)
                return String(decoding: pattern[..<masking.run()], as: UTF8.self)
            }
        }
    }
}
