import Foundation

/// A journal to read, made once and kept outside the repository.
struct SampleJournal {
    let directory: String

    /// The journal with as many entries as the settings ask for; made now if there is none.
    static func prepared(_ settings: Settings) throws -> SampleJournal {
        try settings.requireCommand()
        let count = settings.journalEntries
        let journal = SampleJournal(directory: "\(settings.cache)/journal-\(SampleEntries.version)-\(count)")
        if !FileManager.default.fileExists(atPath: journal.directory) { try journal.make(entries: count) }
        return journal
    }

    private static let writer = "/lib/systemd/systemd-journal-remote"

    private func make(entries count: Int) throws {
        guard access(Self.writer, X_OK) == 0 else {
            throw Complaint(
                "cannot make a sample journal without \(Self.writer): install systemd-journal-remote"
            )
        }
        FileHandle.standardError.write(Data("making a journal of \(count) entries in \(directory)…\n".utf8))
        // Made under another name, so that what was interrupted is never taken for a journal.
        let unfinished = "\(directory).\(getpid())"
        do {
            try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
            try write(count, to: unfinished + "/sample.journal")
            try FileManager.default.moveItem(atPath: unfinished, toPath: directory)
        } catch {
            throw Complaint("cannot make the sample journal \(directory): \(error)")
        }
    }

    private func write(_ count: Int, to path: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.writer)
        process.arguments = ["--output=\(path)", "-"]
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var entries = SampleEntries()
        var text: [UInt8] = []
        for number in 0..<count {
            entries.append(number, to: &text)
            if text.count > 1 << 20 || number == count - 1 {
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
