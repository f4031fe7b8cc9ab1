import SystemPackage

/// A path as the kernel takes it. `FilePath` checks and normalises itself at every step, and walking takes many.
struct RawPath: Hashable, Sendable, CustomStringConvertible {
    private(set) var bytes: [UInt8]

    private static var slash: UInt8 { 0x2F }

    static let root = RawPath(bytes: [slash])

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(_ path: FilePath) {
        bytes = path.withPlatformString { start in
            UnsafeBufferPointer(start: start, count: path.length).map { UInt8(bitPattern: $0) }
        }
    }

    var isAbsolute: Bool { bytes.first == Self.slash }

    /// The parts between the slashes.
    var names: [[UInt8]] { bytes.split(separator: Self.slash).map(Array.init) }

    func appending(_ name: [UInt8]) -> RawPath {
        RawPath(bytes: bytes == [Self.slash] ? bytes + name : bytes + [Self.slash] + name)
    }

    /// The path without its last name; the root's is the root.
    var parent: RawPath {
        let end = bytes.lastIndex(of: Self.slash) ?? 0
        return end == 0 ? .root : RawPath(bytes: Array(bytes[..<end]))
    }

    func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
            buffer[bytes.count] = 0
            // It has at least one element, hence an address.
            guard let start = buffer.baseAddress else { preconditionFailure("memory without an address") }
            return try body(UnsafePointer(start))
        }
    }

    var filePath: FilePath { withCString { FilePath(platformString: $0) } }

    var description: String { String(decoding: bytes, as: UTF8.self) }
}
