import Synchronization

/// The regular expressions of one program that come from records: the last few, compiled.
final class PatternCache: Sendable {
    private struct Entry {
        var pattern: [UInt8]
        var result: Result<RegularExpression, RegularExpression.Refusal>
    }

    /// Ordered by use, the last used last.
    private let entries = Mutex<[Entry]>([])

    private static let capacity = 16
    private static let memory = 256 << 10
    /// A longer pattern is not worth keeping.
    private static let longest = 1024

    /// The pattern, compiled now or before.
    func expression(_ pattern: UnsafeRawBufferPointer) throws(RegularExpression.Refusal) -> RegularExpression {
        let known = entries.withLock { entries -> Result<RegularExpression, RegularExpression.Refusal>? in
            guard let place = entries.lastIndex(where: { $0.pattern.elementsEqual(pattern) }) else { return nil }
            let entry = entries.remove(at: place)
            entries.append(entry)
            return entry.result
        }
        if let known { return try known.get() }
        // Compiled outside the lock: two threads may both compile a new pattern, which does no harm.
        let result = Result { () throws(RegularExpression.Refusal) in
            try RegularExpression(pattern, memory: Self.memory)
        }
        if pattern.count <= Self.longest {
            let entry = Entry(pattern: Array(pattern), result: result)
            entries.withLock { entries in
                if entries.count >= Self.capacity { entries.removeFirst() }
                entries.append(entry)
            }
        }
        return try result.get()
    }
}
