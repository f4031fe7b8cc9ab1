public import Bus
public import FilterBridge
public import Records

/// A kind of source of records, and which: a log file, the journal of a machine, a bus.
///
/// Everything that reads sources knows them by this alone: how they are typed, what they can do, which fields a filter can use, and
/// how they become a signal. A program adds a kind of its own by conforming a type and listing it, see ``SourceKinds``:
///
/// ```swift
/// import Bus
/// import FilterBridge
/// import Records
/// import RecordSources
///
/// /// `numbers:3`: the numbers below 3.
/// struct Numbers: RecordSource {
///     static let spellings = [
///         SourceSpelling("numbers", operand: "COUNT", example: "numbers:3", summary: "the first numbers")
///     ]
///     let word: String
///     let count: Int
///
///     init(word: String, operand: String) throws(SourceArgumentError) {
///         guard let count = Int(operand), count > 0 else { throw SourceArgumentError("write a number above 0, as in numbers:3") }
///         (self.word, self.count) = (word, count)
///     }
///
///     var fields: RecordKind { .fields(["number": .int]) }
///
///     func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
///         let numbers = Signals.from(0..<count).records(named: request.name) { number in
///             RecordFields(message: "\(number)", ["number": .int(Int64(number))])
///         }
///         return numbers.promoteFailure(to: SourceError.self).items(request)
///     }
/// }
///
/// let kinds = SourceKinds.standard.adding(Numbers.self)
/// let odd = try Signals.records(from: "numbers:10", matching: "number % 2 == 1", of: kinds)
/// let subscription = odd.subscribe(next: { print($0.message ?? "") }, failed: { print($0) })
/// ```
public protocol RecordSource: Sendable, SendableMetatype {
    /// The words by which sources of this type are typed, in the order in which they are listed.
    static var spellings: [SourceSpelling] { get }

    /// Reads a source as it is typed.
    ///
    /// - Parameters:
    ///   - word: one of the spellings.
    ///   - operand: what stands behind the word and a colon; empty where the spelling has no operand.
    /// - Throws: ``SourceArgumentError``, which says what to write instead.
    init(word: String, operand: String) throws(SourceArgumentError)

    /// The word by which it was typed.
    var word: String { get }

    /// The name of the source in its records, unless it is given another one. By default that of the spelling.
    var name: String { get }

    /// The fields of its records, for filters.
    var fields: RecordKind { get }

    /// What it can do. By default nothing: it sends what it has, and ends.
    var traits: SourceTraits { get }

    /// The path of the file that it reads; `-` for standard input, which only one source can read. By default `nil`.
    var path: String? { get }

    /// Checks what is wrong with it and its options together. Called once all options are set.
    ///
    /// - Throws: ``SourceArgumentError``, which says what to do instead.
    func check() throws(SourceArgumentError)

    /// The question that it puts, for a filter, to the bus or machine that has the records. By default `nil`: all records are read here.
    ///
    /// - Parameters:
    ///   - filter: the filter.
    ///   - name: the source's name.
    func question(_ filter: RecordFilter, named name: String) -> String?

    /// The records that the request asks for. Cold: each subscription reads the source anew.
    ///
    /// Only a source can know how to find few of its records fast, so it is the source that applies the request's filter, skew and
    /// choice of old records. `items(_:)` of a signal of records does so for a source without old records.
    ///
    /// It sends `RecordItem.caughtUp` once, when all old records have been sent, and a gap where records are missing.
    func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError>
}

extension RecordSource {
    public var name: String { spelling.name }
    public var traits: SourceTraits { [] }
    public var path: String? { nil }
    public func check() throws(SourceArgumentError) {}
    public func question(_ filter: RecordFilter, named name: String) -> String? { nil }

    /// The spelling by which it was typed.
    public var spelling: SourceSpelling {
        // A source is made by one of its spellings.
        Self.spellings.first { $0.word == word } ?? SourceSpelling(word, example: word, summary: "")
    }
}

/// What a source can do.
public struct SourceTraits: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// It has only what happens while it is listened to, and does not end by itself.
    public static let live = SourceTraits(rawValue: 1)
    /// The newest of its old records can be asked for, newest first. They are kept until all old ones are known.
    public static let reversible = SourceTraits(rawValue: 2)
    /// It can be read from its end to its beginning.
    public static let backward = SourceTraits(rawValue: 4)
    /// It tells places by which reading goes on after a restart: ``SourceRequest/Start/behind(_:)``.
    public static let places = SourceTraits(rawValue: 8)
    /// It can be waited for while it is not there: see ``SourceRequest/reconnects``.
    public static let awaitable = SourceTraits(rawValue: 16)
    /// It begins with the same record whenever it is read for the first time.
    package static let stored = SourceTraits(rawValue: 32)
}

/// One way to type a source: a word, and behind a colon which.
public struct SourceSpelling: Sendable {
    /// What can be typed behind the colon.
    public enum Operands: Sendable {
        /// Paths of files.
        case files
        /// Paths of directories.
        case directories
        /// Names of journal namespaces.
        case namespaces
        /// These, or words that begin with one of them.
        case words([String])
    }

    /// The text before the colon: letters and digits.
    public let word: String
    /// The text behind the colon, for a person; `nil` where there is none.
    public let operand: String?
    /// A whole source, as it would be typed.
    public let example: String
    /// What is read, in a few words.
    public let summary: String
    /// What the source is called unless it is given a name.
    public let name: String
    /// For the completion of a command line.
    public let operands: Operands
    /// Why there is no such source on this machine; `nil` if there may be.
    public let objection: @Sendable () -> String?

    /// - Parameters:
    ///   - word: letters and digits.
    ///   - operand: the text behind the colon, for a person.
    ///   - example: a whole source.
    ///   - summary: what is read.
    ///   - name: what the source is called unless it is given a name; by default the word.
    ///   - operands: what can be typed behind the colon.
    ///   - objection: why there is no such source on this machine.
    public init(
        _ word: String,
        operand: String? = nil,
        example: String,
        summary: String,
        name: String? = nil,
        operands: Operands = .words([]),
        objection: @escaping @Sendable () -> String? = { nil }
    ) {
        self.word = word
        self.operand = operand
        self.example = example
        self.summary = summary
        self.name = name ?? word
        self.operands = operands
        self.objection = objection
    }
}

/// A mistake in a source or its option as it was typed, with the correction, for a person to read.
public struct SourceArgumentError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// - Parameter description: what to write instead.
    public init(_ description: String) {
        self.description = description
    }
}
