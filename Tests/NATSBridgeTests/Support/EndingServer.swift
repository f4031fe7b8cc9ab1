import Glibc
import TestSupport

/// Takes connections on a loopback port, greets each, may hear a line, and ends it.
final class EndingServer: Sendable {
    struct Failure: Error {}

    /// What a NATS server says first.
    static let greeting =
        #"INFO {"server_id":"A","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576MORE}"# + "\r\n"

    let port: UInt16
    private let number: CInt
    private let thread: TestThread

    /// - Parameters:
    ///   - greeting: sent first.
    ///   - hears: whether the client's answer is read.
    ///   - answer: sent then.
    init(_ greeting: String, hears: Bool, answer: String = "") throws {
        let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, length) == 0 && listen(number, 16) == 0
                    && getsockname(number, address, &length) == 0
            }
        }
        guard listens else { throw Failure() }
        self.number = number
        port = UInt16(bigEndian: address.sin_port)
        thread = try TestThread {
            while true {
                let connection = accept(number, nil, nil)
                guard connection >= 0 else { return }
                Self.send(greeting, to: connection)
                if hears {
                    var byte = [UInt8](repeating: 0, count: 4096)
                    _ = recv(connection, &byte, byte.count, 0)
                    Self.send(answer, to: connection)
                }
                // The client reads all of it before it sees the end.
                shutdown(connection, CInt(SHUT_WR))
                var rest = [UInt8](repeating: 0, count: 4096)
                while recv(connection, &rest, rest.count, 0) > 0 {}
                close(connection)
            }
        }
    }

    deinit {
        shutdown(number, CInt(SHUT_RDWR))
        thread.wait()
        close(number)
    }

    var place: String { "127.0.0.1:\(port)" }

    private static func send(_ text: String, to connection: CInt) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
