import Bus
import Glibc
public import SystemPackage

/// A failed operation over D-Bus: the operation, and the reason.
public struct DBusError: Error, Hashable, Sendable {
    /// Why an operation failed. After `disconnected` and `timedOut` it may have been carried out all the same.
    public enum Reason: Hashable, Sendable {
        /// The bus, or its socket, could not be reached, or it refused the connection.
        case unreachable(errno: Errno)
        /// libsystemd, which implements the protocol, cannot be loaded: the loader's reason.
        case noLibrary(String)
        /// The connection ended: the bus stopped or was restarted, it closed the connection, or this program closed
        /// it. Operations in progress may or may not have happened.
        case disconnected
        /// Another process answered with an error.
        case remote(name: String, message: String)
        /// No answer came in time. The call may still be carried out.
        case timedOut
        /// The request breaks a rule of D-Bus, which the text names. An array may have 64 MiB, and a message 128 MiB.
        case invalid(String)
        /// The answer, or the value, is not of the requested type.
        case unexpected(String)
        /// systemd has carried out a job, and it did not succeed. The result: `failed`, `canceled`, `timeout`, `dependency`.
        case jobEnded(result: String)
        /// A call of the system or of libsystemd failed.
        case system(errno: Errno)
    }

    /// For decisions in code, such as whether to try again. `description` is for people.
    public let reason: Reason
    /// The attempt that failed: "call org.freedesktop.systemd1.Manager.Subscribe of org.freedesktop.systemd1".
    public let operation: String

    /// An error for tests and for stand-ins of a bus.
    ///
    /// - Parameters:
    ///   - reason: why the operation failed.
    ///   - operation: the attempt, as it can stand behind "cannot".
    public init(_ reason: Reason, _ operation: String) {
        self.reason = reason
        self.operation = operation
    }

    /// The name of another process's error, `org.freedesktop.DBus.Error.ServiceUnknown`; nil for every other reason.
    public var remoteName: String? {
        guard case .remote(let name, _) = reason else { return nil }
        return name
    }
}

extension DBusError: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .unreachable(let errno):
            "cannot \(operation): \(SystemError.numbered(errno.rawValue))\(Self.advice(errno))"
        case .noLibrary(let reason):
            "cannot \(operation): libsystemd cannot be loaded (\(reason)); install it (libsystemd0 on Debian)"
        case .disconnected: "cannot \(operation): the connection to the bus has ended"
        case .remote(let name, let message): "cannot \(operation): \(message.isEmpty ? "an error" : message) (\(name))"
        case .timedOut: "cannot \(operation): no answer in time"
        case .invalid(let text): "cannot \(operation): \(text)"
        case .unexpected(let text): "\(operation): \(text)"
        case .jobEnded(let result): "\(operation): the job's result is '\(result)'"
        case .system(let errno): "cannot \(operation): \(SystemError.numbered(errno.rawValue))"
        }
    }

    private static func advice(_ errno: Errno) -> String {
        switch errno {
        case .noSuchFileOrDirectory, .connectionRefused: "; no bus listens there"
        case .permissionDenied, .notPermitted: "; the bus does not let this user in"
        case Errno(rawValue: ENOMEDIUM), .noSuchAddressOrDevice:
            "; no address is set: DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR are missing"
        case .invalidArgument: "; the address is not one that D-Bus knows"
        default: ""
        }
    }
}
