import Glibc
import SystemPackage

/// A number of this program and of the library that searches with its regular expressions: only programs with the same
/// number are certain to understand a filter in the same way. The version's text is not enough, as builds differ between
/// versions, too.
enum BuildDigest {
    /// The word that asks for it, in place of a command.
    static let request = "---build"

    /// `nil` where the program's file cannot be read, as without `/proc`.
    static let text: String? = {
        guard let program = digest(of: "/proc/self/exe") else { return nil }
        // It may also be a part of the program.
        guard let library = mapped("libre2.") else { return "\(BusctlRx.version)-\(hexadecimal(program))" }
        guard let other = digest(of: library) else { return nil }
        return "\(BusctlRx.version)-\(hexadecimal(program))-\(hexadecimal(other))"
    }()

    /// Writes the digest and ends the process.
    static func answer() -> Never {
        guard let text else { ExitStatus.sourceLost.end() }
        let output = StandardOutput()
        output.append(Array("\(text)\n".utf8))
        output.close()
        (output.failure == nil ? ExitStatus.matched : .sourceLost).end()
    }

    /// The path of a library that is loaded, by the beginning of its file's name.
    private static func mapped(_ name: String) -> String? {
        guard let maps = contents(of: "/proc/self/maps") else { return nil }
        return String(decoding: maps, as: UTF8.self).split(separator: "\n").lazy
            .compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
            .first { $0.split(separator: "/").last?.hasPrefix(name) == true }
    }

    private static func contents(of path: String) -> [UInt8]? {
        var all: [UInt8] = []
        return forEachBlock(of: path) { all += $0 } ? all : nil
    }

    /// Nothing defends it against intent: who can write the other machine's program can have it say anything.
    private static func digest(of path: String) -> UInt64? {
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        func take(_ word: UInt64) {
            digest = (digest ^ word) &* 0x9e37_79b9_7f4a_7c15
            digest ^= digest >> 29
        }
        var count: UInt64 = 0
        let isRead = forEachBlock(of: path) { block in
            let words = block.count / 8
            for word in 0..<words { take(block.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) }
            for byte in block[(words * 8)...] { take(UInt64(byte)) }
            count += UInt64(block.count)
        }
        take(count)
        return isRead ? digest : nil
    }

    /// Reads a file in blocks of a fixed size, the last of which may be shorter.
    private static func forEachBlock(of path: String, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            return try file.closeAfter {
                var block = [UInt8](repeating: 0, count: 1 << 20)
                while true {
                    var filled = 0
                    while filled < block.count {
                        let count = try block.withUnsafeMutableBytes { bytes in
                            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
                        }
                        if count == 0 { break }
                        filled += count
                    }
                    block.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<filled])) }
                    if filled < block.count { return true }
                }
            }
        } catch {
            return false
        }
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
