import Glibc
import SystemPackage

/// The kind of an open descriptor.
public enum DescriptorKind: Sendable, Hashable {
    /// A socket: its family (`AF_UNIX`, `AF_INET6`), its type (`SOCK_STREAM`), and whether it waits for connections.
    case socket(family: CInt, type: CInt, isListening: Bool)
    /// A named or an unnamed pipe.
    case pipe
    /// A plain file.
    case file
    /// A character or block device.
    case device
    /// Anything else: a directory, an eventfd, a message queue.
    case other

    init(of descriptor: CInt) throws(ActivationError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .notOpen(descriptor: FileDescriptor(rawValue: descriptor), errno: Errno(rawValue: errno))
        }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK:
            self = .socket(
                family: Self.option(SO_DOMAIN, of: descriptor),
                type: Self.option(SO_TYPE, of: descriptor),
                isListening: Self.option(SO_ACCEPTCONN, of: descriptor) != 0
            )
        case S_IFIFO: self = .pipe
        case S_IFREG: self = .file
        case S_IFCHR, S_IFBLK: self = .device
        default: self = .other
        }
    }

    private static func option(_ name: CInt, of socket: CInt) -> CInt {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        // It fails only for a file that is no socket, which was checked before.
        return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : 0
    }
}

extension DescriptorKind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .socket(let family, let type, let isListening):
            "a \(Self.name(family: family)) \(Self.name(type: type)) socket" + (isListening ? " that listens" : "")
        case .pipe: "a pipe"
        case .file: "a plain file"
        case .device: "a device"
        case .other: "neither socket, pipe, file nor device"
        }
    }

    private static func name(family: CInt) -> String {
        switch family {
        case AF_UNIX: "Unix"
        case AF_INET: "IPv4"
        case AF_INET6: "IPv6"
        case 16: "netlink"
        case 40: "vsock"
        default: "family \(family)"
        }
    }

    private static func name(type: CInt) -> String {
        switch type {
        case CInt(SOCK_STREAM.rawValue): "stream"
        case CInt(SOCK_DGRAM.rawValue): "datagram"
        case CInt(SOCK_SEQPACKET.rawValue): "packet"
        default: "type \(type)"
        }
    }
}
