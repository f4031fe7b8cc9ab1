import Glibc
import Records

/// The bare message, as `journalctl -o cat` prints it. An entry without one prints nothing.
enum CatFormat {
    private static let prefix: StaticString = "MESSAGE="

    /// Straight from a journal file. Answers how many fields could not be read.
    static func format(_ entry: FileEntry, into output: inout OutputBuffer) -> Int {
        entry.forEachField { line, _ in
            let length = prefix.utf8CodeUnitCount
            guard line.count >= length, let start = line.baseAddress, memcmp(start, prefix.utf8Start, length) == 0
            else {
                return true
            }
            output.append(UnsafeRawBufferPointer(rebasing: line[length...]))
            output.append("\n")
            return false
        }
    }

    /// The first value of each field, a line for each.
    static func format(_ entry: EntryView, fields: [[UInt8]], into output: inout OutputBuffer) {
        for name in fields {
            guard let value = name.withUnsafeBytes({ entry.value(named: $0) }) else { continue }
            output.append(value)
            output.append("\n")
        }
    }

    static func format(_ entry: EntryView, into output: inout OutputBuffer) {
        guard let message = entry.value(named: "MESSAGE") else { return }
        output.append(message)
        output.append("\n")
    }
}
