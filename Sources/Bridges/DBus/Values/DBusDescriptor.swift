import CLinux
import Glibc
public import SystemPackage

/// An open file that travels with a message. It is closed when the last value that holds it is released.
///
/// Two are equal when they are the same object.
public final class DBusDescriptor: Sendable {
    /// The descriptor in this process. It is open as long as this object lives.
    public let fileDescriptor: FileDescriptor

    /// Duplicates the descriptor of an open file; the caller goes on owning theirs.
    ///
    /// - Throws: ``DBusError`` when it is not open, or no more can be opened.
    public init(duplicating descriptor: FileDescriptor) throws(DBusError) {
        let copy = clinux_duplicate(descriptor.rawValue)
        guard copy >= 0 else {
            throw DBusError(.system(errno: Errno(rawValue: -copy)), "duplicate descriptor \(descriptor.rawValue)")
        }
        fileDescriptor = FileDescriptor(rawValue: copy)
    }

    deinit {
        close(fileDescriptor.rawValue)
    }
}

extension DBusDescriptor: Hashable {
    public static func == (left: DBusDescriptor, right: DBusDescriptor) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
