import Glibc

/// What /proc says of this process.
enum ProcessFiles {
    /// The numbers that a folder's entries are called by: threads, descriptors.
    static func numbers(in folder: String) throws(OSSignalError) -> [CInt] {
        guard let stream = opendir(folder) else { throw .system(operation: "list \(folder)", code: errno) }
        defer { closedir(stream) }
        var numbers: [CInt] = []
        while let entry = readdir(stream) {
            let number = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { CInt(String(cString: $0)) }
            }
            if let number { numbers.append(number) }
        }
        return numbers.sorted()
    }

    /// The text of a short file; nil when there is none.
    static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// What follows `key` and a colon at the beginning of a line.
    static func field(_ key: String, in text: String) -> Substring? {
        for line in text.split(separator: "\n") where line.hasPrefix("\(key):") {
            return line.dropFirst(key.count + 1).drop { $0 == " " || $0 == "\t" }
        }
        return nil
    }
}
