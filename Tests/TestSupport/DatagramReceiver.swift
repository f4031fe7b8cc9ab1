import CLinux
import Glibc

/// The other end of a notification or journal socket, for tests. It receives when it is told to.
public final class DatagramReceiver: @unchecked Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The contents of one datagram.
    public struct Datagram: Sendable {
        public var bytes: [UInt8]
        /// Open in this process from now on.
        public var descriptors: [CInt]

        public var text: String { String(decoding: bytes, as: UTF8.self) }

        /// Its assignments, in order.
        public var lines: [String] { text.split(separator: "\n").map { String($0) } }

        public func close() {
            for descriptor in descriptors { Glibc.close(descriptor) }
        }
    }

    /// The name for senders: a path, or `@` and an abstract name.
    public let name: String
    // Written at the beginning and in `remove()`, which tests call while nobody receives.
    private var socket: CInt = -1

    /// - Parameter name: where to listen; a new path by default.
    public init(name: String? = nil) throws {
        self.name = name ?? Self.newPath()
        try listen()
    }

    deinit {
        remove()
    }

    public static func newPath() -> String {
        "/tmp/rx-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).socket"
    }

    /// Listens at the same name again.
    public func listen() throws {
        socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = name.hasPrefix("@")
        let bytes = isAbstract ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
        }
        guard socket >= 0, result == 0 else { throw Failure(description: "cannot listen at \(name), errno \(errno)") }
    }

    /// As if the listening process had ended.
    ///
    /// While another test starts a process, that process holds a copy of the socket until it runs its own program.
    /// Returns when that is gone, too.
    public func remove() {
        let other = socket >= 0 ? connected() : -1
        if socket >= 0 { close(socket) }
        socket = -1
        if !name.hasPrefix("@") { unlink(name) }
        guard other >= 0 else { return }
        while clinux_datagram_send(other, nil, 0, nil, 0) != -ECONNREFUSED, !RunLimit.isOver { sched_yield() }
        close(other)
    }

    /// A sender's socket, or a negative number.
    private func connected() -> CInt {
        let sender = clinux_datagram_socket()
        let bytes = name.utf8.map { CChar(bitPattern: $0) }
        let address = name.hasPrefix("@") ? [0] + bytes.dropFirst() : bytes
        guard sender >= 0, clinux_datagram_connect(sender, address, address.count) < 0 else { return sender }
        close(sender)
        return -1
    }

    /// The next datagram, whenever it arrives.
    /// - Throws: when none arrives before the tests' time is over.
    public func receive() throws -> Datagram {
        repeat {
            if let datagram = try next(within: 1000) { return datagram }
        } while !RunLimit.isOver
        throw Failure(description: "waited in vain for something to come to \(name)")
    }

    /// The next datagram.
    /// - Throws: when none arrives in time.
    public func receive(within seconds: Int) throws -> Datagram {
        guard let datagram = try next(within: CInt(seconds * 1000)) else {
            throw Failure(description: "nothing came to \(name) within \(seconds) s")
        }
        return datagram
    }

    /// The datagrams that have arrived so far.
    public func receiveAll() throws -> [Datagram] {
        var found: [Datagram] = []
        while let datagram = try next(within: 0) { found.append(datagram) }
        return found
    }

    private func next(within milliseconds: CInt) throws -> Datagram? {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        var ready: CInt = 0
        repeat { ready = poll(&entry, 1, milliseconds) } while ready < 0 && errno == EINTR
        guard ready > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        // Room for a header and for 253 descriptors, the kernel's limit, aligned for the header.
        var control = [UInt64](repeating: 0, count: 160)
        let (count, used) = bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    let count = recvmsg(socket, &message, CInt(MSG_CMSG_CLOEXEC))
                    return (count, message.msg_controllen)
                }
            }
        }
        guard count >= 0 else { throw Failure(description: "cannot receive at \(name), errno \(errno)") }
        let descriptors = control.withUnsafeBytes { bytes -> [CInt] in
            // A header of 16 bytes that begins with its length.
            guard used >= 16 else { return [] }
            return stride(from: 16, to: Int(bytes.load(as: UInt64.self)), by: 4).map {
                bytes.load(fromByteOffset: $0, as: CInt.self)
            }
        }
        return Datagram(bytes: Array(bytes[..<count]), descriptors: descriptors)
    }
}
