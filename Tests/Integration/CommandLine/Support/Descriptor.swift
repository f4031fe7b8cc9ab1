import Glibc

// The Glibc module does not show it, and without it a child started by another test could inherit the pipe.
@_silgen_name("pipe2")
private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32

/// An open file of the test's, closed with its last owner.
final class Descriptor {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Both ends of a pipe that no child inherits by accident.
    static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Command.Failure(description: "no pipe, errno \(errno)") }
        return (Descriptor(ends[0]), Descriptor(ends[1]))
    }
}
