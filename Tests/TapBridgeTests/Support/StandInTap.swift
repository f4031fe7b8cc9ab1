import Glibc
import TestSupport

/// A socket that sends the same bytes to each client, whatever it asks, and closes the connection.
final class StandInTap: Sendable {
    let folder = TapFolder()
    private let descriptor: CInt

    init(answering bytes: [UInt8]) {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.socket.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(bound == 0 && listen(descriptor, 8) == 0, "no socket: \(errno)")
        let answering = Answering(descriptor: descriptor, bytes: bytes)
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { argument in
                let answering = argument.map { Unmanaged<Answering>.fromOpaque($0).takeRetainedValue() }
                answering?.run()
                return nil
            },
            Unmanaged.passRetained(answering).toOpaque()
        )
        pthread_detach(thread)
    }

    // Ends the thread, which closes the descriptor.
    deinit { shutdown(descriptor, CInt(SHUT_RDWR)) }

    private final class Answering: Sendable {
        let descriptor: CInt
        let bytes: [UInt8]

        init(descriptor: CInt, bytes: [UInt8]) {
            self.descriptor = descriptor
            self.bytes = bytes
        }

        func run() {
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { break }
                var byte: UInt8 = 1
                while byte != 0, recv(client, &byte, 1, 0) == 1 {}
                var sent = 0
                while sent < bytes.count {
                    let count = bytes[sent...].withUnsafeBytes {
                        send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                    }
                    if count <= 0 { break }
                    sent += count
                }
                close(client)
            }
            close(descriptor)
        }
    }
}
