import CLinux
import Glibc
import Synchronization

/// A descriptor that this package owns and closes once: by ``close()``, or when it is released.
package final class OwnedDescriptor: Sendable {
    package let number: CInt
    private let isClosed = Atomic<Bool>(false)

    package init(_ number: CInt) {
        self.number = number
    }

    /// Another descriptor of the same open file. Reading and writing go by the file. So the caller may close theirs,
    /// and another subscription may wait for the same one.
    package static func duplicate(of descriptor: CInt) throws(DescriptorError) -> OwnedDescriptor {
        let copy = clinux_duplicate(descriptor)
        guard copy >= 0 else { throw DescriptorError("duplicate descriptor \(descriptor)", code: -copy) }
        return OwnedDescriptor(copy)
    }

    package static func pipe(for purpose: String) throws(DescriptorError) -> (
        reading: OwnedDescriptor, writing: OwnedDescriptor
    ) {
        var reading: CInt = -1
        var writing: CInt = -1
        let result = clinux_pipe(&reading, &writing)
        guard result == 0 else { throw DescriptorError("make a pipe for \(purpose)", code: -result) }
        return (OwnedDescriptor(reading), OwnedDescriptor(writing))
    }

    deinit {
        close()
    }

    package func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Glibc.close(number)
    }
}
