import Filter
import JournalBridge
import Records

/// Marks the matches of regular expressions.
struct Highlighter: TextMarker {
    /// More matches of an expression in one text are not looked for, and more parts are not marked.
    private static let maxMarks = 1 << 16

    private let inMessages: [SearchPattern]
    private let inFields: [SearchPattern]

    /// `nil` where there is nothing to look for.
    ///
    /// - Parameters:
    ///   - choosing: the value of `-g` has chosen records by their messages alone.
    ///   - highlights: the values of `--highlight`.
    init?(_ choosing: ChoosingOptions, highlights: [String]) throws(SearchPattern.Refusal) {
        inMessages = try SearchPattern.compile(Self.patterns(choosing, highlights: highlights))
        guard !inMessages.isEmpty else { return nil }
        inFields = Array(inMessages.suffix(highlights.count))
    }

    /// All of them, as RE2 takes them. The first one may take most.
    static func patterns(_ choosing: ChoosingOptions, highlights: [String]) -> [String] {
        let grep = choosing.choice.pattern.map { SmartCase.pattern($0, isSensitive: choosing.choice.isCaseSensitive) }
        return (grep.map { [$0] } ?? []) + highlights.map { SmartCase.pattern($0) }
    }

    func parts(of text: UnsafeRawBufferPointer, isMessage: Bool) -> [Range<Int>] {
        (isMessage ? inMessages : inFields).reduce(into: []) { parts, pattern in
            let found = Self.joined(pattern.matches(in: text).prefix(Self.maxMarks))
            parts = parts.isEmpty ? found : Self.joined((parts + found).sorted { $0.lowerBound < $1.lowerBound })
        }
    }

    /// - Parameter parts: ordered by where they begin.
    /// - Returns: the parts, with those that touch or overlap joined.
    private static func joined(_ parts: some Sequence<Range<Int>>) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for part in parts {
            if let last = joined.last, part.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
            } else if joined.count == maxMarks {
                break
            } else {
                joined.append(part)
            }
        }
        return joined
    }
}
