import Glibc

/// Sends entries to a journald, and waits while it has no room.
final class EntrySocket {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)

    deinit { close(descriptor) }

    /// - Parameter path: the socket of journald for entries.
    func send(_ datagram: [UInt8], to path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor,
                    datagram,
                    datagram.count,
                    Int32(MSG_NOSIGNAL),
                    $0,
                    socklen_t(MemoryLayout<sockaddr_un>.size)
                )
            }
        }
        guard sent == datagram.count else {
            throw Command.Failure(description: "journald took no entry, errno \(errno)")
        }
    }
}
