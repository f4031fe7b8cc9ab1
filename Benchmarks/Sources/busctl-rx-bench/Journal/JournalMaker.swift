import Foundation

/// Makes a folder of journal files with systemd-journal-remote.
struct JournalMaker {
    let directory: String
    /// The files, each with the numbers of its entries.
    let files: [(name: String, entries: Range<Int>)]

    private static let writer = "/lib/systemd/systemd-journal-remote"

    func make(from source: some EntrySource) throws {
        guard access(Self.writer, X_OK) == 0 else {
            throw Complaint(
                "cannot make a sample journal without \(Self.writer): install systemd-journal-remote"
            )
        }
        let count = files.last?.entries.upperBound ?? 0
        FileHandle.standardError.write(Data("making a journal of \(count) entries in \(directory)…\n".utf8))
        // Created under another name, so that an interrupted journal is never used.
        let unfinished = "\(directory).\(getpid())"
        var source = source
        do {
            try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
            for file in files { try write(file.entries, of: &source, to: "\(unfinished)/\(file.name)") }
            try FileManager.default.moveItem(atPath: unfinished, toPath: directory)
        } catch {
            throw Complaint("cannot make the sample journal \(directory): \(error)")
        }
    }

    private func write(_ entries: Range<Int>, of source: inout some EntrySource, to path: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.writer)
        process.arguments = ["--output=\(path)", "-"]
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text: [UInt8] = []
        for number in entries {
            source.append(number, to: &text)
            if text.count > 1 << 20 || number == entries.upperBound - 1 {
                try pipe.fileHandleForWriting.write(contentsOf: text)
                text.removeAll(keepingCapacity: true)
            }
        }
        try pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Complaint("\(Self.writer) ended with status \(process.terminationStatus)")
        }
    }
}
