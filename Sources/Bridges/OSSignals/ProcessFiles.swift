import Glibc
import Loop
import SystemPackage

/// Information in /proc about this process.
enum ProcessFiles {
    /// The numbers that a folder's entries are called by: threads, descriptors.
    static func numbers(in folder: String) throws(OSSignalError) -> [CInt] {
        var numbers: [CInt] = []
        let code = DirectoryNames.forEach(in: folder) { name, _ in
            if let number = CInt(String(decoding: name, as: UTF8.self)) { numbers.append(number) }
            return true
        }
        guard code == 0 else { throw .system(operation: "list \(folder)", errno: Errno(rawValue: code)) }
        return numbers.sorted()
    }

    /// The content of a file; empty when it is gone. Bytes, because a daemon may read as many files as it has threads.
    ///
    /// The groups of a user, of which there may be 65,536, stand in front of a thread's signals.
    static func bytes(of path: String) -> [UInt8] {
        do {
            return try SmallFile(path: path, maxLength: 1 << 20).read() ?? []
        } catch {
            // Between opening and reading the thread may have ended.
            return []
        }
    }

    /// The text after `key`, a colon and space at the beginning of a line.
    static func field(_ key: StaticString, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let key = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        var line = bytes[...]
        while !line.isEmpty {
            let end = line.firstIndex(of: UInt8(ascii: "\n")) ?? line.endIndex
            let text = line[..<end]
            if text.starts(with: key), text.dropFirst(key.count).first == UInt8(ascii: ":") {
                return text.dropFirst(key.count + 1).drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            }
            line = line[end...].dropFirst()
        }
        return nil
    }

    /// A set of signals in hexadecimal.
    static func signals(_ key: StaticString, in bytes: [UInt8]) -> SignalBits? {
        guard let digits = field(key, in: bytes) else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: 16).map { SignalBits(rawValue: $0) }
    }
}
