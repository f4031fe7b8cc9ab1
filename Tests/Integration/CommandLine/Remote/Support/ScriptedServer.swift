import Bus
import Foundation
import Glibc
import TestSupport

/// A server that gives the answers that it was told, one a connection, whatever it is asked for. Further connections get
/// none, and stay open.
final class ScriptedServer: Sendable {
    private let socket: LoopbackSocket
    private let thread: TestThread
    private let asked: Lock<[String]>

    /// - Parameter answers: the bodies of its answers. Each connection is closed behind its answer.
    init(_ answers: [String], head: String = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n") throws {
        let socket = try LoopbackSocket()
        self.socket = socket
        Self.limitWaiting(on: socket.number)
        let asked = Lock([String]())
        self.asked = asked
        thread = try TestThread {
            for answer in answers {
                guard let request = Self.answer(head + answer, on: socket.number) else { return }
                asked.withLock { $0.append(request) }
            }
        }
    }

    /// A connection that never comes fails a test, and does not hold it up for ever.
    private static func limitWaiting(on socket: Int32) {
        var limit = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Returns what it was asked for; `nil` where no connection came.
    private static func answer(_ text: String, on socket: Int32) -> String? {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { return nil }
        defer { close(connection) }
        limitWaiting(on: connection)
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            request += buffer[..<count]
        }
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        return String(decoding: request, as: UTF8.self)
    }

    /// As an option of busctl-rx.
    var from: String { "--from=http://127.0.0.1:\(socket.port)" }

    /// What it was asked for, once it has given all answers, or waited too long for a connection.
    var requests: [String] {
        thread.wait()
        return asked.withLock { $0 }
    }
}
