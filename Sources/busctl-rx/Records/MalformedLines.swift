import Bus

/// Counts lines that were not of the expected kind.
final class MalformedLines: Sendable {
    private let counts = Lock<[String: (count: Int, first: UInt64)]>([:])

    func count(_ source: String, line: UInt64) {
        counts.withLock { $0[source, default: (0, line)].count += 1 }
    }

    /// The messages for a person at the end.
    var summary: [String] {
        counts.withLock { $0 }.sorted { $0.key < $1.key }.map { source, lines in
            lines.count == 1
                ? "\(source): line \(lines.first) is not of the format that was expected, and is taken for text"
                : "\(source): \(lines.count) lines are not of the format that was expected, and are taken for text; the first is line"
                    + " \(lines.first)"
        }
    }
}
