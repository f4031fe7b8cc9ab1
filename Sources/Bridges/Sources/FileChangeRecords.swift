public import Bus
import FileBridge
public import FilterBridge
import Glibc
public import Records
import SystemPackage

/// Changes of a file, or of the files in a directory: `changes:/etc/nginx`.
public struct FileChangeRecords: RecordSource {
    public static let spellings = [
        SourceSpelling(
            "changes",
            operand: "PATH",
            example: "changes:/etc/nginx",
            summary: "what happens to a file, or to the files in a directory",
            name: "change",
            operands: .files
        )
    ]

    public let word = "changes"
    /// Of a file or a directory.
    public let watched: String

    public init(_ word: String, _ operand: String) throws(SourceMistake) {
        watched = operand
    }

    public var fields: RecordKind { .changes }
    public var traits: SourceTraits { .live }

    public func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceFailure> {
        var status = stat()
        let isDirectory = stat(watched, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let changes: AnySignal<FileChange, FileWatchError> =
            isDirectory
            ? Signals.changes(in: FilePath(watched)).eraseToAnySignal()
            : Signals.changes(of: FilePath(watched)).eraseToAnySignal()
        return changes.records(from: request.name, path: watched).mapError { request.failure($0.description) }
            .items(request)
    }
}
