import Filter

/// The part of a query that other programs can be asked for, as `FIELD=value`. It selects every entry that the query
/// selects, and may select more.
package struct MatchArguments: Sendable {
    /// The largest number of matches, and of bytes in them. Where the query takes more, less of it is asked for.
    private static let maxCount = 256
    private static let maxBytes = 16 << 10

    /// For journalctl. Between groups of matches stands `+`, and any of the groups must hold.
    package let alternatives: [String]
    /// For a program that does not know `+`: of each field, one of the values.
    package let matches: [String]
    /// Whether no entry can be selected at all.
    package let isNothing: Bool

    package init(_ query: JournalQuery) {
        let terms = MatchTerms(query.match)
        isNothing = terms.isNothing
        let conditions = terms.conditions.map { Self.printable($0) }.filter { !$0.isEmpty }
        matches = Self.words(Self.single(conditions.filter { $0.count == 1 }), size: Self.encodedSize) ?? []
        alternatives = Self.words(Self.product(conditions)) { $0.utf8.count } ?? matches
    }

    /// The condition that any of these holds; none where a value cannot be typed everywhere.
    private static func printable(_ alternatives: [MatchTerms.Alternative]) -> [MatchTerms.Alternative] {
        let isTypable = alternatives.allSatisfy { $0.values.allSatisfy { $0.allSatisfy(isPlain) } }
        return isTypable ? alternatives : []
    }

    /// Whether every shell leaves the value as it is between single quotes. csh looks for `!` there, and fish for `\\`.
    private static func isPlain(_ value: [UInt8]) -> Bool {
        guard String(validating: value, as: UTF8.self) != nil else { return false }
        let backslash = UInt8(ascii: "\\")
        let isCut = zip(value, value.dropFirst()).contains { $0 == backslash && ($1 == backslash || $1 == 0x27) }
        return !isCut && value.last != backslash
            && !value.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "!") }
    }

    /// One alternative that has the tests of all; of a field that several test, one.
    private static func single(_ conditions: [[MatchTerms.Alternative]]) -> [MatchTerms.Alternative] {
        let all = conditions.compactMap(\.first).reduce(into: MatchTerms.Alternative()) { all, one in
            all.merge(one) { old, _ in old }
        }
        return all.isEmpty ? [] : [all]
    }

    /// The conditions as one, as far as they test different fields and have not too many pairs.
    private static func product(_ conditions: [[MatchTerms.Alternative]]) -> [MatchTerms.Alternative] {
        var product: [MatchTerms.Alternative] = []
        for condition in conditions {
            let names = Set(condition.flatMap(\.keys))
            if product.isEmpty {
                product = condition
            } else if product.count * condition.count <= 64, product.allSatisfy({ names.isDisjoint(with: $0.keys) }) {
                product = product.flatMap { one in condition.map { one.merging($0) { old, _ in old } } }
            }
        }
        return product
    }

    /// How long a match is in a URL, where most characters take three bytes for each of their own. Servers limit the length
    /// of a request.
    private static func encodedSize(_ word: String) -> Int {
        word.utf8.reduce(0) { size, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                size + 1
            default: size + 3
            }
        }
    }

    /// `nil` where these are too many.
    ///
    /// - Parameter size: how many bytes a word takes.
    private static func words(_ alternatives: [MatchTerms.Alternative], size: (String) -> Int) -> [String]? {
        let groups = alternatives.map { alternative in
            alternative.sorted { $0.key < $1.key }.flatMap { field, values in
                values.map { "\(field)=\(String(decoding: $0, as: UTF8.self))" }
            }
        }
        // An alternative without a test holds for every entry.
        guard groups.allSatisfy({ !$0.isEmpty }) else { return nil }
        let words = Array(groups.joined(separator: ["+"]))
        guard words.count <= maxCount, words.reduce(0, { $0 + size($1) }) <= maxBytes else { return nil }
        return words
    }
}
