import Glibc
import SystemPackage

/// The id after which this machine's journal directories are named.
enum MachineID {
    static let path = "/etc/machine-id"
    static var text: String? { try? read() }

    /// The same as sd_id128_get_machine(3): 32 digits, not all of them zero, and nothing else but a line feed.
    ///
    /// - Throws: with the code of what it does, ENOMEDIUM, for a file with anything else.
    static func read(at path: String = path) throws(Errno) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        defer { close(descriptor) }
        // One byte more than allowed.
        let text: String? = withUnsafeTemporaryAllocation(byteCount: 34, alignment: 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = FileReads.read(descriptor, start, buffer.count, at: 0)
            guard count == 32 || count == 33 && buffer[32] == UInt8(ascii: "\n"),
                let id = ID128(hexadecimal: UnsafeRawBufferPointer(rebasing: buffer[..<32])), !id.isNull
            else { return nil }
            return id.text
        }
        guard let text else { throw Errno(rawValue: ENOMEDIUM) }
        return text
    }

    static func isIdentifier(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 32 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
