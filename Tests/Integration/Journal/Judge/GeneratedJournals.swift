import Foundation
import JournalWriter

/// Several journal files, each with its form and its entries.
struct GeneratedJournals: CustomStringConvertible {
    struct File: CustomStringConvertible {
        var form: JournalFileForm
        var entries: [JournalFileEntry]

        /// Whether realtime never goes back. Otherwise libsystemd's bisection finds arbitrary places.
        var isOrdered: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.realtime <= $1.realtime } }

        var writer: JournalFileWriter {
            var writer = JournalFileWriter(form)
            for entry in entries { writer.append(entry) }
            return writer
        }

        var description: String {
            let words = [
                form.isCompact ? "compact" : "regular", form.isKeyed ? "keyed" : "Jenkins", "\(form.compression)",
                "\(form.state)",
            ]
            return "\(entries.count) entries of \(form.sequenceID), \(words.joined(separator: ", "))"
        }
    }

    /// In the order in which readers are given them.
    var files: [File]

    var isOrdered: Bool { files.allSatisfy(\.isOrdered) }
    var entryCount: Int { files.reduce(0) { $0 + $1.entries.count } }

    /// The paths, in order.
    func write(to folder: TemporaryFolder) throws -> [String] {
        try files.enumerated().map { index, file in
            let path = folder.path("\(index).journal")
            try Data(file.writer.bytes()).write(to: URL(fileURLWithPath: path))
            return path
        }
    }

    var description: String { files.enumerated().map { "\($0).journal: \($1)" }.joined(separator: "\n") }
}
