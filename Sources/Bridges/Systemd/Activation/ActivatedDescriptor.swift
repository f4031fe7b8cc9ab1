import Glibc
public import SystemPackage

/// An open descriptor that the process was started with: a listening socket of a `.socket` unit, a connection, or a
/// descriptor from the service manager's store.
///
/// It belongs to the process, which closes it. A socket that systemd listens on as well must not be shut down, only closed.
public struct ActivatedDescriptor: Sendable, Hashable {
    /// The descriptor.
    public let descriptor: FileDescriptor
    /// `FileDescriptorName=` of the unit, or the name it was stored under; else `unknown`, `stored` or `connection`.
    public let name: String
    /// Its kind, checked when it was taken over.
    public let kind: DescriptorKind

    /// The type of a socket.
    public enum SocketType: Sendable, Hashable {
        /// A stream of bytes over a connection, without boundaries (`SOCK_STREAM`).
        case stream
        /// Single messages, without a connection (`SOCK_DGRAM`).
        case datagram
        /// Messages in order over a connection, each with its boundaries (`SOCK_SEQPACKET`).
        case sequencedPacket

        /// The number that the system gives it.
        var number: CInt {
            switch self {
            case .stream: CInt(SOCK_STREAM.rawValue)
            case .datagram: CInt(SOCK_DGRAM.rawValue)
            case .sequencedPacket: CInt(SOCK_SEQPACKET.rawValue)
            }
        }
    }

    /// The descriptor, if it is a socket that waits for connections.
    ///
    /// - Parameters:
    ///   - type: ``SocketType/stream`` or ``SocketType/sequencedPacket``; only these wait for connections.
    ///   - family: such as `AF_UNIX`; any by default.
    /// - Throws: ``ActivationError/unexpected(name:wanted:found:)``, which names the kind found.
    public func listener(
        type: SocketType = .stream,
        family: CInt? = nil
    ) throws(ActivationError) -> FileDescriptor {
        try socket(type: type, family: family, isListening: true)
    }

    /// The descriptor, if it is a socket of this kind.
    ///
    /// - Parameters:
    ///   - type: what it carries.
    ///   - family: such as `AF_INET6`; any by default.
    ///   - isListening: whether it waits for connections.
    /// - Throws: ``ActivationError/unexpected(name:wanted:found:)``, which names the kind found.
    public func socket(
        type: SocketType,
        family: CInt? = nil,
        isListening: Bool = false
    ) throws(ActivationError) -> FileDescriptor {
        let wanted = DescriptorKind.socket(
            family: family ?? currentFamily,
            type: type.number,
            isListening: isListening
        )
        guard kind == wanted else { throw .unexpected(name: name, wanted: "\(wanted)", found: kind) }
        return descriptor
    }

    private var currentFamily: CInt {
        if case .socket(let family, _, _) = kind { family } else { AF_UNSPEC }
    }
}
