import Glibc

/// The probe's output, written line by line without buffering.
enum Output {
    static func line(_ text: String) {
        let bytes = Array((text.replacing("\n", with: "; ") + "\n").utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            sent += count
        }
    }
}

/// The contents of files in /proc.
enum Facts {
    static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    static func field(_ key: String, _ path: String) -> String {
        for line in text(path).split(separator: "\n") where line.hasPrefix("\(key):") {
            return line.dropFirst(key.count + 1).split(separator: "\t").first.map(String.init)?.trimmed ?? ""
        }
        return ""
    }

    static func entries(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Private memory in use, in KiB: mapped and not shared.
    static var memory: Int {
        Int(field("RssAnon", "/proc/self/status").split(separator: " ").first ?? "0") ?? 0
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " || $0 == "\t" }) }
}
