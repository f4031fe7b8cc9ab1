public import Bus
public import FilterBridge
import JournalBridge
public import Records

/// A stream in the journal export format: `export:PATH`, `export:-` for standard input.
public struct ExportRecords: RecordSource {
    public static let spellings = [
        SourceSpelling(
            "export",
            operand: "PATH|-",
            example: "export:-",
            summary: "a stream in the journal export format",
            name: "journal",
            operands: .files
        )
    ]

    public let word = "export"
    private let file: String

    public init(_ word: String, _ operand: String) throws(SourceMistake) {
        file = operand
    }

    public var path: String? { file }
    public var fields: RecordKind { .journal }
    public var traits: SourceTraits { .reversible }

    public func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceFailure> {
        Signals.journalExport(path: file, query: request.journalQuery)
            .recordItems(from: request.name)
            .map { [shift = request.shift] in $0.shifted(by: shift) }
            .mapError { request.failure($0.description) }
            .newest(request, isLive: file == "-" && request.follows)
    }
}
