import Glibc
import Synchronization

/// A descriptor that is closed when nobody holds it any more: a file is read on several threads.
final class OpenDescriptor: Sendable {
    let number: Int32
    private let hasTold = Atomic<Bool>(false)

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Whether the caller is the first to report that fields of the file cannot be read.
    func tellsOfFields() -> Bool { !hasTold.exchange(true, ordering: .relaxed) }
}
