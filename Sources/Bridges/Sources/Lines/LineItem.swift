import Bus
import DescriptorBridge
import FileBridge
import SystemPackage

/// Something that reading a file or a stream of lines yields.
enum LineItem: Sendable {
    case line(LineBytes)
    /// Lines that were read together.
    case lines(FileLines)
    /// For a person: something is missing here.
    case gap(String)
    case caughtUp
}

extension LineItem {
    /// A longer line comes in pieces, 1 MiB each.
    private static let maxLength = 1 << 20

    /// The lines of a file, or of standard input where the path is `-`.
    ///
    /// - Parameters:
    ///   - word: the word by which the source is typed.
    ///   - start: where in a file it begins.
    ///   - request: whether to go on when a file's end is reached, and where standard input is read; a file has a thread of its own.
    static func signal(
        path: String,
        as word: String,
        from start: FileStart,
        _ request: SourceRequest
    ) -> AnySignal<LineItem, SourceError> {
        if path == "-" {
            return Signals.bytes(from: .standardInput, on: request.scheduler).lines(ofBytes: maxLength)
                .map { LineItem.line($0) }
                .mapError { error in
                    let isFile = error.errno != .isDirectory
                    return request.failure(isFile ? error.description : "standard input is a directory, not a file")
                }
                .eraseToAnySignal()
        }
        return Signals.lines(following: FilePath(path), from: start, follow: request.follows, lineLimit: maxLength)
            .map { item in
                switch item {
                case .lines(let lines): .lines(lines)
                case .gap(let gap): .gap(gap.description)
                case .caughtUp: .caughtUp
                }
            }
            .mapError { request.failure(reason($0, as: word)) }
            .eraseToAnySignal()
    }

    /// The reason for a person: what is not a file, the command reads from standard input.
    private static func reason(_ error: FileReadError, as word: String) -> String {
        let (path, kind): (FilePath, String)
        switch error {
        case .notRegular(let fifo, .pipe): (path, kind) = (fifo, "a FIFO")
        case .notRegular(let device, .device): (path, kind) = (device, "a device")
        case .notRegular, .system: return error.description
        }
        return "\(path) is \(kind), not a file. Read it with: busctl-rx … --from \(word):- < "
            + ShellText.command([path.string])
    }
}
