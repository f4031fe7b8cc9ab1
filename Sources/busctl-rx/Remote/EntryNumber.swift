/// The number of an entry in its journal, as its cursor has it: `s=SOURCE;i=NUMBER;…`.
struct EntryNumber {
    private let source: ArraySlice<UInt8>
    private let number: UInt64

    init?(cursor: [UInt8]) {
        let parts = cursor.split(separator: UInt8(ascii: ";"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].starts(with: "s=".utf8), parts[1].starts(with: "i=".utf8),
            let number = UInt64(String(decoding: parts[1].dropFirst(2), as: UTF8.self), radix: 16)
        else { return nil }
        source = parts[0]
        self.number = number
    }

    /// Whether it is certain that the entry comes before the other one. Numbers of different sources cannot be compared.
    func isBefore(_ other: EntryNumber) -> Bool { source == other.source && number < other.number }
}
