package import Bus
package import FilterBridge
import JournalBridge
package import Records

/// A stream in the journal export format: `export:PATH`, `export:-` for standard input.
package struct ExportRecords: RecordSource {
    package static let spellings = [
        SourceSpelling(
            "export",
            operand: "PATH|-",
            example: "export:-",
            summary: "a stream in the journal export format",
            name: "journal",
            operands: .files
        )
    ]

    package let word = "export"
    private let file: String

    package init(word: String, operand: String) throws(SourceArgumentError) {
        file = operand
    }

    package var path: String? { file }
    package var fields: RecordKind { .journal }
    package var traits: SourceTraits { .reversible }

    package func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        Signals.journalExport(path: file, query: request.journalQuery)
            .recordItems(from: request.name)
            .map { [shift = request.shift] in $0.shifted(by: shift) }
            .mapError { request.failure($0.description) }
            .newest(request, isLive: file == "-" && request.follows)
    }
}
