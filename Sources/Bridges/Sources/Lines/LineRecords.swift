import JournalBridge
public import Bus
import FileBridge
public import FilterBridge
public import Records
import SystemPackage

/// Lines of a file that is followed through rotation, or of standard input (`-`): `json:PATH`, `logfmt:PATH`, `lines:PATH`.
///
/// A line that is not of the format is a record with the line as its message; ``SourceRequest/note`` is told of it. A line longer than
/// 1 MiB comes in pieces, each a record; ``SourceRequest/note`` is told of the first such line.
public struct LineRecords: RecordSource {
    /// How a line becomes a record. The raw value is the word by which the source is typed.
    public enum Format: String, Sendable, Hashable {
        /// A JSON object a line. Its members are the fields.
        case json
        /// `name=value` pairs.
        case logfmt
        /// Text, which may begin with a time in RFC 3339.
        case lines
    }

    public static let spellings = [
        SourceSpelling(
            "json",
            operand: "PATH|-",
            example: "json:/var/log/app.json",
            summary: "a JSON object a line",
            operands: .files
        ),
        SourceSpelling(
            "logfmt",
            operand: "PATH|-",
            example: "logfmt:-",
            summary: "name=value pairs, a record a line",
            operands: .files
        ),
        SourceSpelling(
            "lines",
            operand: "PATH|-",
            example: "lines:/var/log/nginx/error.log",
            summary: "the lines of a log file, followed through rotation",
            operands: .files
        ),
    ]

    /// Decides how lines are read, and which fields a filter can use.
    public let format: Format
    public let path: String?

    public init(word: String, operand: String) throws(SourceArgumentError) {
        guard let format = Format(rawValue: word) else { throw SourceArgumentError("write json:, logfmt: or lines:") }
        self.init(format, of: operand)
    }

    /// - Parameters:
    ///   - format: how a line becomes a record.
    ///   - path: the file; `-` for standard input.
    public init(_ format: Format, of path: String) {
        self.format = format
        self.path = path
    }

    public var word: String { format.rawValue }
    public var fields: RecordKind { format == .lines ? .lines : .any }
    public var traits: SourceTraits { path == "-" ? .reversible : [.reversible, .places] }

    public func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let path = path ?? "-"
        if let objection = CompressedFile.objection(to: path, as: word) {
            return Signals.fail(request.failure(objection)).eraseToAnySignal()
        }
        // Without a filter the last lines can be found from the end.
        var start: FileStart = if request.filter == nil, let count = request.count() { .last(count) } else { .head }
        do throws(SourceError) {
            if let place = try request.place({ FilePlace($0) }) { start = .behind(place) }
        } catch {
            return Signals.fail(error).eraseToAnySignal()
        }
        let items = LineItem.signal(path: path, as: word, from: start, request)
            .transduced(by: LineReading(request, format, isNumbered: path == "-" || start == .head))
            .flatMap(.concat, limit: 1) { Signals.from($0).promoteFailure(to: SourceError.self) }
            .newest(request, isLive: path == "-" && request.follows)
        guard request.tellsPlaces, start == .head, path != "-" else { return items }
        // The file may be moved away before anything of it is done.
        return Signals.deferred {
            FilePlace(beginningOf: FilePath(path)).map { items.prepend(.place($0.description)).eraseToAnySignal() }
                ?? items
        }
        .eraseToAnySignal()
    }

    /// The names in the first lines of a file of JSON, without those that a shell would split.
    package var firstNames: [String] {
        guard format == .json, let path else { return [] }
        return FileBeginning.bytes(of: path, 1 << 16).split(separator: 0x0A)
            .compactMap { JSONObject(Array($0)) }
            .flatMap { Record(source: "", time: .now, sequence: 0, content: $0).fieldNames }
            .filter { $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x2C } }
    }
}
