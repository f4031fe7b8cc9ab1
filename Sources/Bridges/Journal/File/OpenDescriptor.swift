import Glibc

/// A descriptor that is closed when nobody holds it any more: a file is read on several threads.
final class OpenDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
