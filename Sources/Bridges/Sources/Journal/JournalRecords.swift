public import Bus
public import FilterBridge
public import JournalBridge
public import Records

/// A journal of this machine, or of journal files: `journal`, `directory:PATH`, `file:PATH`, `namespace:NAME`.
public struct JournalRecords: RecordSource {
    public static let spellings = [
        SourceSpelling("journal", example: "journal", summary: "the journal of this machine", objection: { objection }),
        SourceSpelling(
            "directory",
            operand: "PATH",
            example: "directory:/var/log/journal",
            summary: "the journal files in a directory",
            name: "journal",
            operands: .directories
        ),
        SourceSpelling(
            "file",
            operand: "PATH",
            example: "file:old.journal",
            summary: "a journal file",
            name: "journal",
            operands: .files
        ),
        SourceSpelling(
            "namespace",
            operand: "NAME",
            example: "namespace:web",
            summary: "the journal of a namespace",
            name: "journal",
            operands: .namespaces
        ),
    ]

    public let word: String
    /// The journal of this machine or of a namespace, or journal files, as the word and its operand say.
    public let journal: JournalSource

    public init(word: String, operand: String) throws(SourceArgumentError) {
        self.word = word
        journal =
            switch word {
            case "directory": .directory(operand)
            case "file": .files(FilePattern.paths(of: operand))
            case "namespace": .namespace(operand)
            default: .system
            }
    }

    /// A journal that is named otherwise.
    public init(_ journal: JournalSource) {
        word = "journal"
        self.journal = journal
    }

    public var fields: RecordKind { .journal }
    public var traits: SourceTraits { [.backward, .places, .stored] }

    public func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let course: JournalCourse =
            request.isReversed
            ? .back(request.retreat) : .onward(from: request.journalStart, follow: request.follows)
        let items = Signals.journal(
            journal,
            course,
            query: request.journalQuery,
            limit: request.isReversed ? request.count() : nil,
            progress: request.progress
        )
        .recordItems(from: request.name)
        .map { [shift = request.shift] in $0.shifted(by: shift) }
        .mapError { request.failure($0.description) }
        return request.tellsPlaces ? items.tellingCursors().eraseToAnySignal() : items.eraseToAnySignal()
    }

    /// Counts the records that ``items(_:)`` sends without following, up to the journal's end.
    package func counts(
        _ request: SourceRequest,
        by groupings: [RecordGrouping]
    ) -> AnySignal<JournalCounting, SourceError> {
        Signals.journalCounts(
            journal,
            from: request.journalStart,
            query: request.journalQuery,
            by: groupings,
            of: request.name,
            shift: request.shift,
            progress: request.progress
        ).mapError { request.failure($0.description) }.eraseToAnySignal()
    }

    private static var objection: String? {
        do throws(JournalError) {
            _ = try JournalBoot.all(in: .system)
            return nil
        } catch {
            return "not here: \(error.description)"
        }
    }
}

extension SourceRequest {
    /// A journal's own reader evaluates the filter, so that unwanted entries are not copied. It uses the times of the
    /// journal, whatever the skew.
    package var journalQuery: JournalQuery { filter?.query(of: name, tally: tally) ?? .everything }

    /// The first time that is wanted, on the source's clock.
    var sourceSince: RecordTime? { since?.shifted(by: 0 &- shift) }

    /// The place in a journal where reading begins.
    fileprivate var journalStart: JournalStart {
        let since = sourceSince.map { JournalStart.time($0) }
        return switch start {
        case .behind(let cursor): .cursor(cursor)
        case .last(let count): .tail(count)
        case .recent(let count): since ?? (follows ? .tail(count) : .head)
        case .all: since ?? .head
        }
    }

    /// The way back through a journal.
    fileprivate var retreat: JournalRetreat {
        let last = until.map {
            JournalRetreat.Start.time(UInt64(clamping: $0.shifted(by: 0 &- shift).microseconds))
        }
        return JournalRetreat(from: last ?? .tail, since: sourceSince.map { UInt64(clamping: $0.microseconds) })
    }
}
