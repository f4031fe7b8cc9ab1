import Foundation
import Glibc

/// A client that waits on its own thread for messages of a tap.
final class VarlinkClient {
    struct Failure: Error { let code: CInt }

    let descriptor: CInt
    private var input: [UInt8] = []

    /// - Parameter receiveBuffer: roughly how many bytes the kernel buffers for it.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(code: code)
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes unchanged. Returns how many were accepted before the tap closed.
    @discardableResult
    func send(_ text: some Collection<UInt8>) -> Int {
        let bytes = Array(text)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count < 0 { break }
            sent += count
        }
        return sent
    }

    func call(_ method: String, _ parameters: String = "{}", more: Bool = false, oneway: Bool = false) {
        send(#"{"method":"\#(method)","parameters":\#(parameters),"more":\#(more),"oneway":\#(oneway)}"#.utf8 + [0])
    }

    func watch(_ parameters: String = "{}") { call("org.busctl-rx.Tap.Watch", parameters, more: true) }

    /// The next message; nil after the last.
    func receive(upTo count: Int = 1 << 16) -> Reply? {
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            if let end = input.firstIndex(of: 0) {
                let message = Data(input[..<end])
                input.removeSubrange(...end)
                guard let object = try? JSONSerialization.jsonObject(with: message) as? [String: Any] else {
                    return Reply(["error": "no JSON: \(String(decoding: message, as: UTF8.self))"])
                }
                return Reply(object)
            }
            let read = recv(descriptor, &buffer, buffer.count, 0)
            guard read > 0 else { return nil }
            input += buffer[..<read]
        }
    }

    /// How many further messages have come.
    var received: Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)), count > 0 {
            input += buffer[..<count]
        }
        return input.count { $0 == 0 }
    }

    /// Sends a call and receives one reply.
    func ask(_ method: String, _ parameters: String = "{}") -> Reply? {
        call(method, parameters)
        return receive()
    }

    /// All messages until the watch or the connection ends.
    func receiveAll(upTo count: Int = 1 << 16) -> [Reply] {
        var replies: [Reply] = []
        while let reply = receive(upTo: count) {
            replies.append(reply)
            if !reply.continues { break }
        }
        return replies
    }
}

struct Reply: CustomStringConvertible {
    private let object: [String: Any]

    init(_ object: [String: Any]) { self.object = object }

    var error: String? { object["error"] as? String }
    var continues: Bool { object["continues"] as? Bool ?? false }
    var parameters: [String: Any] { object["parameters"] as? [String: Any] ?? [:] }
    var kind: String? { text("kind") }

    func text(_ name: String) -> String? { parameters[name] as? String }
    func number(_ name: String) -> Int? { parameters[name] as? Int }
    func list(_ name: String) -> [[String: Any]] { parameters[name] as? [[String: Any]] ?? [] }
    var value: [String: Any] { parameters["value"] as? [String: Any] ?? [:] }

    var description: String { "\(object)" }
}
