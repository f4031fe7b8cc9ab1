import Synchronization

/// The regular expressions of one program that come from records: the most recent ones, compiled.
final class PatternCache: Sendable {
    private struct Entry {
        let pattern: [UInt8]
        /// `nil` for a refused pattern.
        let expression: RegularExpression?
    }

    /// Ordered by use, the last used last.
    private let entries = Mutex<[Entry]>([])

    private static let capacity = 16
    /// A longer pattern is not worth keeping.
    private static let maxLength = 1024

    /// The cost of compiling: RE2 takes some 50 µs for the smallest pattern and up to a microsecond for each
    /// instruction more.
    private static let compilingCost = 5_000
    private static let instructionCost = 50

    /// The pattern, compiled now or before.
    func expression(
        _ pattern: UnsafeRawBufferPointer,
        _ allowance: inout Allowance
    ) -> Result<RegularExpression, Fault.Code> {
        guard allowance.pay(pattern.count) else { return .failure(.tooCostly) }
        if let known = known(pattern) { return known.expression.map { .success($0) } ?? .failure(.invalidPattern) }
        let size = PatternSize.estimate(pattern)
        guard size <= RegularExpression.Limits.ofRecords.size else { return .failure(.invalidPattern) }
        guard allowance.pay(Self.compilingCost + Self.instructionCost * size) else { return .failure(.tooCostly) }
        // Compiled outside the lock: two threads may both compile a new pattern, which does no harm.
        let expression = try? RegularExpression(pattern, .ofRecords)
        keep(pattern, expression)
        return expression.map { .success($0) } ?? .failure(.invalidPattern)
    }

    private func known(_ pattern: UnsafeRawBufferPointer) -> Entry? {
        entries.withLock { entries in
            let place = entries.lastIndex { entry in
                entry.pattern.withUnsafeBytes { ByteText.equal($0, pattern) }
            }
            guard let place else { return nil }
            let entry = entries.remove(at: place)
            entries.append(entry)
            return entry
        }
    }

    private func keep(_ pattern: UnsafeRawBufferPointer, _ expression: RegularExpression?) {
        guard pattern.count <= Self.maxLength else { return }
        let entry = Entry(pattern: Array(pattern), expression: expression)
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeFirst() }
            entries.append(entry)
        }
    }
}
