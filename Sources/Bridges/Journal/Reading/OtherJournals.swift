import SystemPackage

/// The journal files beside those that are read: of other users, or of the system. journald numbers the entries of all of them with one
/// counter, so that numbers that are missing in some are in the others.
struct OtherJournals {
    private let paths: [String]

    init(_ paths: [String]) {
        self.paths = paths
    }

    /// The gap to report for numbers that no file that is read has; `nil` if others have them, or may have them.
    ///
    /// - Parameters:
    ///   - lost: how many of the numbers are missing.
    ///   - source: the counter.
    func gap(of lost: UInt64, _ numbers: ClosedRange<UInt64>, from source: ID128) -> JournalGap? {
        var lost = lost
        var isShared = false
        for path in paths {
            do throws(JournalError) {
                let file = try JournalFile(path, number: 0, memory: FileMemory(isSmall: true))
                guard file.header.sequenceID == source else { continue }
                isShared = true
                lost -= min(lost, Self.count(of: numbers, in: file))
            } catch {
                // Nothing is known of a journal that may not be read. A broken file counts for nothing.
                let errors: [Errno] = [.permissionDenied, .notPermitted, .tooManyOpenFiles, .tooManyOpenFilesInSystem]
                if let errno = error.errno, errors.contains(errno) { return nil }
            }
        }
        if lost == 0 { return nil }
        // Some of them may have been numbers of others that are gone as well.
        return JournalGap(.deleted, lost: isShared ? nil : Int(clamping: lost))
    }

    private static func count(of numbers: ClosedRange<UInt64>, in file: JournalFile) -> UInt64 {
        guard let first = file.entries.firstIndex(file, where: { $0.sequence >= numbers.lowerBound }),
            let end = file.entries.firstIndex(file, where: { $0.sequence > numbers.upperBound })
        else { return 0 }
        return UInt64(max(end - first, 0))
    }
}
