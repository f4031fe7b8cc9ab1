import Bus
import DescriptorBridge
import FileBridge
import SystemPackage

/// Something that reading a file or a stream of lines yields.
enum LineItem: Sendable {
    case line([UInt8])
    /// Lines that were read together.
    case lines(FileLines)
    /// For a person: something is missing here.
    case gap(String)
    case caughtUp
}

extension LineItem {
    /// A longer line comes in pieces.
    private static let maxLength = 1 << 20

    /// The lines of a file, or of standard input where the path is `-`.
    ///
    /// - Parameters:
    ///   - start: where in a file it begins.
    ///   - follow: whether to go on when a file's end is reached.
    ///   - scheduler: where standard input is read; a file has a thread of its own.
    static func signal(
        path: String,
        from start: FileStart,
        follow: Bool,
        on scheduler: ThreadScheduler
    ) -> AnySignal<LineItem, TailFailure> {
        if path == "-" {
            return Signals.lines(from: .standardInput, limit: maxLength, on: scheduler)
                .map { LineItem.line(Array($0.utf8)) }
                .mapError { TailFailure(reason: $0.description) }
                .eraseToAnySignal()
        }
        return Signals.lines(following: FilePath(path), from: start, follow: follow, limit: maxLength)
            .map { item in
                switch item {
                case .lines(let lines): .lines(lines)
                case .gap(let gap): .gap(gap.description)
                case .caughtUp: .caughtUp
                }
            }
            .mapError { TailFailure(reason: $0.description) }
            .eraseToAnySignal()
    }
}
