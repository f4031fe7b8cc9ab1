import Glibc

/// A start of the machine, as far as a journal has entries of it.
package struct JournalBoot: Sendable, Hashable {
    /// 32 hexadecimal digits.
    package let id: String
    /// When its first and its last entry were received, in microseconds since 1970.
    package private(set) var first: UInt64
    package private(set) var last: UInt64

    /// The boots of a journal, in the order of their first entries.
    ///
    /// It opens the journal's files and asks their indexes. If an index cannot be used, all entries of the file are
    /// read.
    ///
    /// - Parameter report: called with what is missing, because a file cannot be read or is damaged.
    /// - Throws: where nothing at all can be read.
    package static func all(
        in source: JournalSource,
        reporting report: (JournalGap) -> Void = { _ in }
    ) throws(JournalError) -> [JournalBoot] {
        let journal = try ListedJournal(source)
        var boots: [ID128: JournalBoot] = [:]
        var order = PeriodOrder()
        for file in journal.files {
            func note(_ entry: EntryRef) {
                order.note(entry.boot, entry, in: file)
                Self.note(entry, &boots)
            }
            if file.forEachBoot(note) { continue }
            journal.forEachEntry(of: file) { journal in
                // An entry that was written in part may have a part of its id.
                if boots[journal.entry.boot] != nil || journal.hasField { note(journal.entry) }
            }
        }
        journal.gaps.forEach(report)
        return order.ids.compactMap { boots[$0] }
    }

    private static func note(_ entry: EntryRef, _ boots: inout [ID128: JournalBoot]) {
        let time = entry.realtime
        let new = JournalBoot(id: entry.boot.text, first: time, last: time)
        boots[entry.boot, default: new].first = min(boots[entry.boot]?.first ?? time, time)
        boots[entry.boot, default: new].last = max(boots[entry.boot]?.last ?? time, time)
    }
}

extension MergedJournal {
    /// Whether a field of the current entry can be read.
    fileprivate var hasField: Bool {
        var hasField = false
        forEachField { _ in
            hasField = true
            return false
        }
        return hasField
    }
}

extension JournalFile {
    /// More boots than these in one file are not looked up.
    private static let maxBoots = 4096

    /// The first and the last entry of each boot; returns false where the index cannot tell.
    fileprivate func forEachBoot(_ body: (EntryRef) -> Void) -> Bool {
        guard isIntact, let values = values(of: Array("_BOOT_ID".utf8), limit: Self.maxBoots) else { return false }
        let isWhole = forEachList(of: values) { postings in
            for index in [0, postings.count - 1] where postings.count > 0 {
                guard postings.isSound(at: index), let offset = postings.offset(at: index),
                    let entry = entry(at: offset, .spot)
                else { return false }
                body(entry)
            }
            return true
        }
        guard isWhole, count > 0 else { return isWhole }
        // The last entry may not be in the lists of its values yet.
        guard let entry = entries.entry(at: count - 1, self), forEachField(of: entry, .spot, { _, _ in true }) == 0
        else { return false }
        body(entry)
        return true
    }
}

/// The start of the machine that runs now.
package enum MachineBoot {
    /// Its id, 32 hexadecimal digits.
    package static var current: String? {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let digits = String(decoding: bytes.prefix(count), as: UTF8.self).filter { $0.isHexDigit }
        return digits.count == 32 ? digits : nil
    }
}
