/// The name of a journal entry's field, by journald's rules: 1 to 64 capitals, digits and underscores, beginning with a
/// capital.
///
/// journald silently drops a field with any other name. Names that begin with an underscore are journald's own.
public struct JournalFieldName: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// - Throws: ``JournalFieldNameError`` when journald would not take it.
    public init(_ name: String) throws(JournalFieldNameError) {
        guard Self.isValid(name.utf8) else { throw JournalFieldNameError(name: name) }
        description = name
    }

    /// The name that is nearest to a text: small letters as capitals, an underscore for every other character, a
    /// leading `X` where it would not begin with a capital, and no more than 64 characters.
    ///
    /// Different texts may come out the same. An entry can have several fields of one name.
    public init(nearestTo text: String) {
        var name = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        if !Self.isValid(name.prefix(1)) { name.insert(UInt8(ascii: "X"), at: 0) }
        description = String(decoding: name.prefix(64), as: UTF8.self)
    }

    private static func isValid(_ name: some Collection<UInt8>) -> Bool {
        guard (1...64).contains(name.count), let first = name.first else { return false }
        return isCapital(first)
            && name.allSatisfy { isCapital($0) || $0 == UInt8(ascii: "_") || (48...57).contains($0) }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (65...90).contains(byte) }
}

extension JournalFieldName: ExpressibleByStringLiteral {
    /// A name in the program's text. A name that journald would not take is a mistake in the program, and stops it.
    public init(stringLiteral name: StaticString) {
        let text = name.description
        guard Self.isValid(text.utf8) else { fatalError("\(JournalFieldNameError(name: text))") }
        description = text
    }
}

/// journald would not take a field of this name.
public struct JournalFieldNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name as it was given, of any length.
    public let name: String

    public var description: String {
        "no journal field can be called \(name.debugDescription): journald takes 1 to 64 capitals, digits and underscores, "
            + "beginning with a capital"
    }
}
