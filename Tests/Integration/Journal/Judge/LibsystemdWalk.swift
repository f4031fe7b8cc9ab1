import Bus
// Two modules declare the same C type; the compiler takes either.
import CDBus
import CSystemd
import Filter
import Glibc

@testable import JournalBridge

/// libsystemd, as the reference for other readers.
final class LibsystemdWalk: JournalWalk {
    /// libsystemd sets libgcrypt up with the first sealed file; a second thread that opens one meanwhile is refused.
    private static let opening = Lock(())

    private let journal: OpaquePointer

    struct Refusal: Error, CustomStringConvertible {
        var call: String
        var code: Int32

        var description: String { "\(call): \(String(cString: strerror(-code)))" }
    }

    /// Opens the files in this order.
    init(files paths: [String]) throws {
        let copies = paths.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
        var journal: OpaquePointer?
        let result = Self.opening.withLock { _ in sd_journal_open_files(&journal, &pointers, 0) }
        guard result >= 0, let journal else { throw Refusal(call: "sd_journal_open_files", code: result) }
        self.journal = journal
        sd_journal_set_data_threshold(journal, 0)
    }

    /// Opens the files in a folder, in the order in which the folder lists them.
    init(directory path: String) throws {
        var journal: OpaquePointer?
        let result = Self.opening.withLock { _ in sd_journal_open_directory(&journal, path, 0) }
        guard result >= 0, let journal else { throw Refusal(call: "sd_journal_open_directory", code: result) }
        self.journal = journal
        sd_journal_set_data_threshold(journal, 0)
    }

    deinit { sd_journal_close(journal) }

    func seekHead() { sd_journal_seek_head(journal) }
    func seekTail() { sd_journal_seek_tail(journal) }
    func seek(realtime: UInt64) { sd_journal_seek_realtime_usec(journal, realtime) }
    func seek(cursor: String) -> Bool { sd_journal_seek_cursor(journal, cursor) >= 0 }
    func test(cursor: String) -> Bool { sd_journal_test_cursor(journal, cursor) > 0 }
    func next() -> Bool { sd_journal_next(journal) > 0 }
    func previous() -> Bool { sd_journal_previous(journal) > 0 }
    func hasGaps() -> Bool { false }

    func seek(boot: [UInt8], monotonic: UInt64) {
        var id = sd_id128_t()
        withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: boot.prefix(16)) }
        sd_journal_seek_monotonic_usec(journal, id, monotonic)
    }

    func entry() -> WalkedEntry {
        var entry = WalkedEntry(cursor: "", realtime: 0, monotonic: 0, fields: [])
        var boot = sd_id128_t()
        sd_journal_get_realtime_usec(journal, &entry.realtime)
        sd_journal_get_monotonic_usec(journal, &entry.monotonic, &boot)
        var text: UnsafeMutablePointer<CChar>?
        if sd_journal_get_cursor(journal, &text) >= 0, let text { entry.cursor = String(cString: text) }
        free(text)
        var data: UnsafeRawPointer?
        var length = 0
        sd_journal_restart_data(journal)
        while sd_journal_enumerate_available_data(journal, &data, &length) > 0 {
            entry.fields.append(Array(UnsafeRawBufferPointer(start: data, count: length)))
        }
        return entry
    }

    func narrow(to match: Match) {
        for (index, alternatives) in MatchTerms(match).conditions.enumerated() {
            if index > 0 { sd_journal_add_conjunction(journal) }
            for (index, alternative) in alternatives.enumerated() {
                if index > 0 { sd_journal_add_disjunction(journal) }
                for (field, values) in alternative.sorted(by: { $0.key < $1.key }) {
                    for value in values {
                        let term = Array(field.utf8) + [UInt8(ascii: "=")] + value
                        sd_journal_add_match(journal, term, term.count)
                    }
                }
            }
        }
    }
}
