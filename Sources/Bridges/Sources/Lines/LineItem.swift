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
    ///   - start: where in a file it begins.
    ///   - request: whether to go on when a file's end is reached, and where standard input is read; a file has a thread of its own.
    static func signal(
        path: String,
        from start: FileStart,
        _ request: SourceRequest
    ) -> AnySignal<LineItem, SourceFailure> {
        if path == "-" {
            return Signals.bytes(from: .standardInput, on: request.scheduler).lines(ofBytes: maxLength)
                .map { LineItem.line($0) }
                .mapError { request.failure($0.description) }
                .eraseToAnySignal()
        }
        return Signals.lines(following: FilePath(path), from: start, follow: request.follows, limit: maxLength)
            .map { item in
                switch item {
                case .lines(let lines): .lines(lines)
                case .gap(let gap): .gap(gap.description)
                case .caughtUp: .caughtUp
                }
            }
            .mapError { request.failure($0.description) }
            .eraseToAnySignal()
    }
}
