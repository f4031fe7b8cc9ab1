import Bus
import DescriptorBridge
import SystemPackage

extension LineItem {
    /// The lines of a file, or of standard input where the path is `-`.
    ///
    /// - Parameter follow: whether it goes on when the file's end is reached.
    static func signal(path: String, follow: Bool) -> AnySignal<LineItem, TailFailure> {
        Signals.lines(from: .standardInput, limit: 1 << 20)
            .map { LineItem.line(Array($0.utf8)) }
            .mapError { TailFailure(reason: $0.description) }
            .eraseToAnySignal()
    }
}
