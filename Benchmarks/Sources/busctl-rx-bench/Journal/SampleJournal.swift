import Foundation

/// A journal to read, created once and kept outside the repository.
struct SampleJournal {
    let directory: String
    /// Its size, for the names of rows.
    let title: String
    /// A short name, for the names of bounds.
    let name: String
    /// Occurs in one message of 997.
    let needle: String
    /// Occurs in one message, near the beginning.
    let rarity: String
    /// Wrote half of the entries.
    let busyUnit: String
    /// Wrote one entry of 1,000.
    let rareUnit: String

    static func both(_ settings: Settings) throws -> [SampleJournal] {
        [try narrow(settings), try wide(settings)]
    }

    /// A hundred units, in twelve files. Created now if it does not exist.
    static func units(_ settings: Settings) throws -> SampleJournal {
        try settings.requireCommand()
        let count = settings.unitEntries
        let directory = "\(settings.cache)/journal-units-\(UnitEntries.version)-\(count)"
        if !FileManager.default.fileExists(atPath: directory) {
            let files = (0..<12).map { (name: "units-\($0).journal", entries: count * $0 / 12..<count * ($0 + 1) / 12) }
            try JournalMaker(directory: directory, files: files).make(from: UnitEntries())
        }
        return SampleJournal(
            directory: directory,
            title: "\(count.grouped) entries in 12 files",
            name: "units",
            needle: UnitEntries.needle,
            rarity: UnitEntries.rarity,
            busyUnit: UnitEntries.unit,
            rareUnit: UnitEntries.unit
        )
    }

    /// Values that lie far from their entries. Created now if it does not exist.
    static func scattered(_ settings: Settings) throws -> SampleJournal {
        try settings.requireCommand()
        let count = settings.scatteredEntries
        let directory = "\(settings.cache)/journal-scattered-\(ScatteredEntries.version)-\(count)"
        if !FileManager.default.fileExists(atPath: directory) {
            try JournalMaker(directory: directory, files: [("sample.journal", 0..<count)])
                .make(from: ScatteredEntries())
        }
        return SampleJournal(
            directory: directory,
            title: "\(count.grouped) entries with scattered values",
            name: "scattered",
            needle: "session 7",
            rarity: "request 2 of",
            busyUnit: "worker.service",
            rareUnit: "worker.service"
        )
    }

    /// Few fields an entry, and as many entries as the settings request. Created now if it does not exist.
    static func narrow(_ settings: Settings) throws -> SampleJournal {
        try settings.requireCommand()
        let count = settings.journalEntries
        let directory = "\(settings.cache)/journal-\(NarrowEntries.version)-\(count)"
        if !FileManager.default.fileExists(atPath: directory) {
            try JournalMaker(directory: directory, files: [("sample.journal", 0..<count)]).make(from: NarrowEntries())
        }
        return SampleJournal(
            directory: directory,
            title: "\(count.grouped) entries of \(NarrowEntries.fields) fields",
            name: "narrow",
            needle: NarrowEntries.needle,
            rarity: NarrowEntries.rarity,
            busyUnit: NarrowEntries.busyUnit,
            rareUnit: NarrowEntries.rareUnit
        )
    }

    /// Many fields an entry, some of them compressed, in ten files. Created now if it does not exist.
    static func wide(_ settings: Settings) throws -> SampleJournal {
        try settings.requireCommand()
        let count = settings.wideEntries
        let directory = "\(settings.cache)/journal-wide-\(WideEntries.version)-\(count)"
        if !FileManager.default.fileExists(atPath: directory) {
            let files = (0..<10).map { (name: "shop-\($0).journal", entries: count * $0 / 10..<count * ($0 + 1) / 10) }
            try JournalMaker(directory: directory, files: files).make(from: WideEntries())
        }
        return SampleJournal(
            directory: directory,
            title: "\(count.grouped) entries of \(WideEntries.fields) fields",
            name: "wide",
            needle: WideEntries.needle,
            rarity: WideEntries.rarity,
            busyUnit: WideEntries.busyUnit,
            rareUnit: WideEntries.rareUnit
        )
    }
}

extension SampleJournal {
    /// The oldest file alone in a folder, for programs that would take too long over all of them.
    func firstFile() throws -> SampleJournal {
        let folder = directory + "-first"
        let file = folder + "/sample.journal"
        let names = try contents()
        // The name of an archived file contains its first sequence number.
        guard let first = names.first(where: { $0.contains("-0000000000000001-") }) ?? names.first else {
            throw Complaint("there is no journal file in \(directory)")
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Complaint("cannot make the folder \(folder): \(error.localizedDescription)")
        }
        unlink(file)
        guard link("\(directory)/\(first)", file) == 0 else {
            throw Complaint("cannot link \(file): \(String(cString: strerror(errno)))")
        }
        return SampleJournal(
            directory: folder,
            title: "the first file of \(title)",
            name: name,
            needle: needle,
            rarity: rarity,
            busyUnit: busyUnit,
            rareUnit: rareUnit
        )
    }

    private func contents() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        } catch {
            throw Complaint("cannot list \(directory): \(error.localizedDescription)")
        }
    }
}
