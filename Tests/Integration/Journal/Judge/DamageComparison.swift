import Foundation
import JournalWriter

/// Reads a damaged file, and checks whether losses are reported and whether journalctl reads more.
///
/// journalctl runs as a separate process, because some damage makes libsystemd end the process.
struct DamageComparison {
    /// The result of reading a file.
    struct Read {
        /// The cursors of its entries, read forwards.
        var cursors: [String]
        /// Whether a loss was reported, which includes refusing the file.
        var hasGaps: Bool
    }

    let seed: UInt64
    let file: GeneratedJournals.File
    private let damage: JournalDamage
    private let isLoss: Bool

    /// - Parameter isLoss: whether the damage only removes entries.
    init(seed: UInt64, isLoss: Bool) {
        var generator = JournalGenerator(seed: seed)
        let files = generator.journals().files
        self.seed = seed
        self.isLoss = isLoss
        var file = files.max { $0.entries.count < $1.entries.count } ?? files[0]
        file.form.state = JournalFileForm.State.allCases[Int(seed % 3)]
        self.file = file
        var damage = JournalDamage(file.writer, seed: seed)
        if isLoss { damage.lose() } else { damage.strike() }
        self.damage = damage
    }

    /// A description of the difference, or nil.
    func difference(_ read: (String) throws -> Read) throws -> String? {
        let folder = try TemporaryFolder()
        let path = folder.path("damaged.journal")
        try Data(damage.bytes).write(to: URL(fileURLWithPath: path))
        let result = try read(path)
        if try OpenFiles.count(in: folder) > 0 { return report("leaves the file open") }
        let found = Set(result.cursors)
        if found.count < result.cursors.count { return report("reads an entry twice") }
        if isLoss {
            let written = Set(file.entries.map { $0.cursor(in: file.form.sequenceID) })
            if !found.isSubset(of: written) { return report("makes entries up: \(found.subtracting(written))") }
            let missing = written.subtracting(found)
            if !missing.isEmpty, !result.hasGaps {
                return report("does not tell that \(missing.count) entries are missing")
            }
        }
        let theirs = Set(try Self.cursorsOfJournalctl(path) ?? [])
        let missed = theirs.subtracting(found)
        return missed.isEmpty
            ? nil : report("misses \(missed.count) of \(theirs.count) entries that journalctl reads: \(missed)")
    }

    /// `nil` if it crashed or did not end.
    static func cursorsOfJournalctl(_ path: String, option: String = "--file") throws -> [String]? {
        let arguments = ["-s", "KILL", "10", "/usr/bin/journalctl", "-q", "-o", "export", option, path]
        let result = try Command.run("/usr/bin/timeout", arguments)
        guard result.status <= 1 else { return nil }
        let marker = Data("__CURSOR=".utf8)
        return result.output.split(separator: 0x0A).filter { $0.starts(with: marker) }
            .map { String(decoding: $0.dropFirst(marker.count), as: UTF8.self) }
    }

    private func report(_ words: String) -> String {
        """
        BUSCTL_RX_SEED=\(seed) damages this file again:
        \(file)
        \(damage.told.joined(separator: "\n"))
        the reader \(words)
        """
    }
}
