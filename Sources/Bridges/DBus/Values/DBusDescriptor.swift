import CLinux
import Glibc
import SystemPackage

/// An open file that travels with a message. It is closed when the last value that holds it is released.
///
/// Two are equal when they are the same object.
public final class DBusDescriptor: Sendable {
    /// The file's number in this process. It is open as long as this object lives.
    public let number: CInt

    /// Duplicates the descriptor of an open file; the caller goes on owning theirs.
    ///
    /// - Throws: ``DBusError`` when it is not open, or no more can be opened.
    public init(duplicating number: CInt) throws(DBusError) {
        let copy = clinux_duplicate(number)
        guard copy >= 0 else {
            throw DBusError(.system(errno: Errno(rawValue: -copy)), "duplicate descriptor \(number)")
        }
        self.number = copy
    }

    deinit {
        close(number)
    }
}

extension DBusDescriptor: Hashable {
    public static func == (left: DBusDescriptor, right: DBusDescriptor) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
