package import Bus
import FileBridge
package import FilterBridge
import Glibc
package import Records
import SystemPackage

/// Changes of a file, or of the files in a directory: `changes:/etc/nginx`.
package struct FileChangeRecords: RecordSource {
    package static let spellings = [
        SourceSpelling(
            "changes",
            operand: "PATH",
            example: "changes:/etc/nginx",
            summary: "what happens to a file, or to the files in a directory",
            name: "change",
            operands: .files
        )
    ]

    package let word = "changes"
    /// Of a file or a directory.
    package let watched: String

    package init(word: String, operand: String) throws(SourceArgumentError) {
        watched = operand
    }

    package var fields: RecordKind { .changes }
    package var traits: SourceTraits { .live }

    package func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        var status = stat()
        let path = FilePath(watched)
        let isDirectory = stat(watched, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let records: AnySignal<Record, FileWatchError> =
            isDirectory
            ? Signals.changes(in: path).records(named: request.name, path: path).eraseToAnySignal()
            : Signals.changes(of: path).records(named: request.name, file: path).eraseToAnySignal()
        return records.mapError { request.failure($0.description) }.items(request)
    }
}
