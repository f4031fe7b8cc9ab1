import Foundation

/// A journal file with given entries, made by systemd's own tool.
struct SyntheticJournal {
    static let tool = "/lib/systemd/systemd-journal-remote"
    static let isAvailable = Command.exists(tool) && Command.exists("/usr/bin/journalctl")
    static let hint = "needs systemd-journal-remote and journalctl: apt-get install systemd-journal-remote"
    static let boot = "f446871715504074bf7049ef0718fa93"

    let folder: TemporaryFolder
    let path: String

    typealias Fields = [(name: String, value: [UInt8])]

    /// - Parameter entries: each gets its own time, a millisecond after the one before.
    init(_ entries: [Fields]) throws {
        folder = try TemporaryFolder()
        path = folder.path("test.journal")
        let made = try Command.run(Self.tool, ["-o", path, "-"], input: Self.export(entries))
        guard made.status == 0, FileManager.default.fileExists(atPath: path) else {
            throw Command.Failure(description: "systemd-journal-remote made no journal, status \(made.status)")
        }
    }

    /// Messages "0", "1", …
    init(messages count: Int) throws {
        try self.init(
            (0..<count).map { [("MESSAGE", Array("\($0)".utf8)), ("SYSLOG_IDENTIFIER", Array("test".utf8))] }
        )
    }

    private init(copyOf other: SyntheticJournal) throws {
        folder = try TemporaryFolder()
        path = folder.path("test.journal")
        try FileManager.default.copyItem(atPath: other.path, toPath: path)
    }

    /// A separate file with 20,000 messages, which take long to make.
    static func large() throws -> SyntheticJournal { try SyntheticJournal(copyOf: largeOriginal.get()) }

    private static let largeOriginal = Result { try SyntheticJournal(messages: 20_000) }

    static func export(_ entries: [Fields]) -> Data {
        var data = Data()
        for (index, fields) in entries.enumerated() {
            data += Data("__REALTIME_TIMESTAMP=\(1_700_000_000_000_000 + index * 1000)\n".utf8)
            data += Data("__MONOTONIC_TIMESTAMP=\(1000 + index * 1000)\n_BOOT_ID=\(boot)\n".utf8)
            for (name, value) in fields {
                data += Data(name.utf8)
                if value.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) {
                    data += Data("=".utf8) + Data(value)
                } else {
                    data += Data("\n".utf8)
                    withUnsafeBytes(of: UInt64(value.count).littleEndian) { data.append(contentsOf: $0) }
                    data += Data(value)
                }
                data += Data("\n".utf8)
            }
            data += Data("\n".utf8)
        }
        return data
    }
}
