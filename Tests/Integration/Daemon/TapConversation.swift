import Foundation
import Glibc

/// A client of a tap, which waits on its own thread for what the tap sends.
final class TapConversation {
    private let descriptor: CInt
    private var input: [UInt8] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = path.utf8.count < MemoryLayout.size(ofValue: address.sun_path)
        guard isShort else { throw Command.Failure(description: "\(path) is too long for a socket") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Command.Failure(description: "cannot connect to \(path), errno \(errno)") }
    }

    deinit { close(descriptor) }

    func watch(filter: String) throws {
        let call: [String: Any] = [
            "method": "org.busctl-rx.Tap.Watch", "parameters": ["filter": filter], "more": true,
        ]
        let bytes = try JSONSerialization.data(withJSONObject: call) + [0]
        let sent = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard sent == bytes.count else { throw Command.Failure(description: "cannot send, errno \(errno)") }
    }

    /// The next reply's parameters; nil after the last.
    func next() throws -> [String: Any]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = input.firstIndex(of: 0) {
                let message = try JSONSerialization.jsonObject(with: Data(input[..<end])) as? [String: Any]
                input.removeSubrange(...end)
                if let error = message?["error"] { throw Command.Failure(description: "\(error): \(message ?? [:])") }
                return message?["parameters"] as? [String: Any] ?? [:]
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            input += buffer[..<count]
        }
    }
}
