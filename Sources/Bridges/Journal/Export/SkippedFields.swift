/// Fields of a stream in the journal export format that were left out of their entries. The rest of the stream is read.
public struct SkippedFields: Sendable, Hashable {
    /// The name of the stream, such as a path, or `standard input`.
    public let stream: String
    /// The byte at which the first of them begins, counted from 0.
    public let byteOffset: UInt64
    /// The line in which the first of them begins, counted as in ``ExportFormatError/line``.
    public let line: UInt64
    /// The limits that were in force.
    public let limits: ExportLimits
    /// How many had a name that no journal field can have.
    public private(set) var invalidNames = 0
    /// How many came after the entry had ``ExportLimits/fieldCount`` fields.
    public private(set) var surplus = 0
    /// How many would have made the entry larger than ``ExportLimits/entrySize``.
    public private(set) var oversized = 0

    /// How many there were in all.
    public var count: Int { invalidNames + surplus + oversized }

    init(stream: String, limits: ExportLimits, _ skips: FieldSkips) {
        self.stream = stream
        self.limits = limits
        byteOffset = skips.byteOffset
        line = skips.line
        invalidNames = skips.invalidNames
        surplus = skips.surplus
        oversized = skips.oversized
    }

    /// Adds fields that were left out later.
    package mutating func add(_ later: SkippedFields) {
        invalidNames += later.invalidNames
        surplus += later.surplus
        oversized += later.oversized
    }
}

extension SkippedFields: CustomStringConvertible {
    public var description: String {
        let causes = [
            (invalidNames, "with a name that no journal field can have"),
            (surplus, "beyond \(limits.fieldCount) fields in an entry"),
            (oversized, "beyond \(limits.entrySize) bytes in an entry"),
        ]
        let parts = causes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "skipped \(count == 1 ? "1 field" : "\(count) fields") of \(stream), "
            + "\(count == 1 ? "" : "the first ")at line \(line), byte \(byteOffset): " + parts.joined(separator: ", ")
    }
}

/// The fields that a parser has skipped since it was last asked.
struct FieldSkips {
    enum Reason {
        case invalidName, surplus, oversized
    }

    let byteOffset: UInt64
    let line: UInt64
    private(set) var invalidNames = 0
    private(set) var surplus = 0
    private(set) var oversized = 0

    init(byteOffset: UInt64, line: UInt64) {
        self.byteOffset = byteOffset
        self.line = line
    }

    mutating func count(_ reason: Reason) {
        switch reason {
        case .invalidName: invalidNames += 1
        case .surplus: surplus += 1
        case .oversized: oversized += 1
        }
    }
}
