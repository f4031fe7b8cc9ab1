import NATSBridge

/// What the messages of a measurement are like.
struct NATSKind {
    let size: Int
    let hasHeaders: Bool

    static let small = NATSKind(size: 16, hasHeaders: false)
    static let middle = NATSKind(size: 200, hasHeaders: true)
    static let large = NATSKind(size: 1000, hasHeaders: true)

    var name: String { "\(size) bytes" + (hasHeaders ? ", 2 headers" : "") }

    var headersFlag: CInt { hasHeaders ? 1 : 0 }

    /// The same as the floor's.
    private static let headers: NATSHeaders = [
        "Content-Type": "application/json", "Trace-Id": "4bf92f3577b34da6a3ce929d0e0e4736",
    ]

    func message(_ number: Int, to subject: String) -> NATSMessage {
        var payload = [UInt8](repeating: 0, count: size)
        payload.withUnsafeMutableBytes { $0.storeBytes(of: number, as: Int.self) }
        return NATSMessage(subject: subject, headers: hasHeaders ? Self.headers : [:], payload: payload)
    }

    /// The number that a message begins with.
    static func number(_ message: NATSMessage) -> Int {
        message.payload.withUnsafeBytes { $0.count < 8 ? 0 : $0.loadUnaligned(as: Int.self) }
    }
}
