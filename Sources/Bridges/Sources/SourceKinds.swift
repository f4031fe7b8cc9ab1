import Filter
package import FilterBridge
import NATSBridge

/// The kinds of sources that can be typed.
public struct SourceKinds: Sendable {
    /// Their types, in the order in which they are listed.
    public private(set) var types: [any RecordSource.Type]
    /// Those of them that have options.
    private var optioned: [any OptionedSource.Type]

    /// Only these.
    public init(_ types: [any RecordSource.Type]) {
        self.init(types, optioned: types.compactMap { $0 as? any OptionedSource.Type })
    }

    private init(_ types: [any RecordSource.Type], optioned: [any OptionedSource.Type]) {
        self.types = types
        self.optioned = optioned
    }

    /// All kinds of this package. To ask each type whether it has options takes a sixth of all instructions up to the first line.
    public static let standard = SourceKinds(
        [
            JournalRecords.self, ExportRecords.self, LineRecords.self, OSSignalRecords.self, TickRecords.self,
            ChildRecords.self, FileChangeRecords.self, TapRecords.self, DBusRecords.self, NATSRecords.self,
            RemoteRecords.self,
        ],
        optioned: [DBusRecords.self, RemoteRecords.self]
    )

    /// These kinds and another one, whose words take the place of the same ones here.
    public func adding(_ type: any RecordSource.Type) -> SourceKinds {
        let added = SourceKinds([type])
        return SourceKinds(types + added.types, optioned: optioned + added.optioned)
    }

    /// How sources are typed, in the order in which they are listed.
    public var spellings: [SourceSpelling] {
        types.indices.flatMap { index in
            types[index].spellings.filter { spelling in
                !types[(index + 1)...].contains { $0.spellings.contains { $0.word == spelling.word } }
            }
        }
    }

    /// The options of all kinds.
    package var options: [SourceOption] { optioned.flatMap { $0.options } }

    /// Reads a source as it is typed: a word and, behind a colon, which. `json:/var/log/app.json`, `dbus:system`.
    ///
    /// - Throws: ``SourceArgumentError``, which says what to write instead.
    public func source(_ text: String) throws(SourceArgumentError) -> any RecordSource {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let operand = parts.count > 1 ? parts[1] : nil
        guard let type = types.last(where: { $0.spellings.contains { $0.word == parts[0] } }),
            let spelling = type.spellings.first(where: { $0.word == parts[0] })
        else {
            let words = spellings.map(\.word)
            if let operand, let nearest = Spelling.nearest(to: parts[0], among: words) {
                let text = "\(nearest):\(operand)"
                let meant = operand.hasPrefix("//") ? NATSAddress.withoutSecrets(text) : text
                throw SourceArgumentError("did you mean \(meant)?")
            }
            throw SourceArgumentError(
                "write a kind of source and, behind a colon, which: \(words.joined(separator: ", "))."
                    + " 'busctl-rx sources' lists them"
            )
        }
        if spelling.operand == nil {
            guard operand == nil else { throw SourceArgumentError("'\(spelling.word)' takes no argument") }
        } else if operand?.isEmpty != false {
            throw SourceArgumentError("'\(spelling.word)' needs something behind it, as in \(spelling.example)")
        }
        return try type.init(word: spelling.word, operand: operand ?? "")
    }
}

/// A source and its name, which its records carry.
public struct NamedSource: Sendable {
    /// The name that its records carry as `Record.source`. It takes the place of the source's own name.
    public let name: String
    /// The source to read under that name.
    public let source: any RecordSource

    /// A source under a given name. ``all(_:)`` finds distinct names for several.
    public init(_ name: String, _ source: any RecordSource) {
        self.name = name
        self.source = source
    }

    /// The sources by distinct names: those that have one keep it, others are called by their kind and, from the second on, a number.
    ///
    /// - Throws: ``SourceArgumentError`` when two sources were given one name.
    public static func all(
        _ sources: [(name: String?, source: any RecordSource)]
    ) throws(SourceArgumentError) -> [NamedSource] {
        var taken: Set<String> = []
        for case let name? in sources.map(\.name) where !taken.insert(name).inserted {
            throw SourceArgumentError("Two sources are called '\(name)'. Give each a name of its own.")
        }
        return sources.map { name, source in NamedSource(name ?? unused(source.name, &taken), source) }
    }

    private static func unused(_ name: String, _ taken: inout Set<String>) -> String {
        var candidate = name
        var number = 1
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = "\(name)-\(number)"
        }
        return candidate
    }
}

extension [NamedSource] {
    /// The fields that a filter over these sources can use, by the sources' names.
    package var fields: [(name: String, kind: RecordKind)] { map { ($0.name, $0.source.fields) } }
}
