import CLinux
import CSystemd
import Glibc

/// libsystemd's journal object. Every call into it stands here, inside the guard against files that shrink.
///
/// It lives on the thread that opened it, from open to close. What it answers is 0 or more, or a negative error code.
final class JournalHandle {
    /// Gone after ``close()``; libsystemd answers every call without it with -EINVAL.
    private var journal: OpaquePointer?
    /// Closing reads the files, too.
    private let faultGuard: FaultGuard

    /// - Returns: 0 or the negative error code of libsystemd.
    static func open(_ source: JournalSource, paths: [String], _ faultGuard: FaultGuard, _ handle: inout JournalHandle?)
        -> Int32
    {
        var journal: OpaquePointer?
        clinux_sigbus_enter()
        defer { clinux_sigbus_leave() }
        let local = Int32(SD_JOURNAL_LOCAL_ONLY)
        let result =
            switch source {
            case .system: sd_journal_open(&journal, local)
            case .namespace(let name): sd_journal_open_namespace(&journal, name, local)
            case .directory(let path): sd_journal_open_directory(&journal, path, 0)
            case .files:
                withCStrings(paths) { sd_journal_open_files(&journal, $0, 0) }
            }
        guard result >= 0, let journal else { return result < 0 ? result : -EINVAL }
        handle = JournalHandle(journal, faultGuard)
        // No part of a large field is left out.
        sd_journal_set_data_threshold(journal, 0)
        return 0
    }

    private init(_ journal: OpaquePointer, _ faultGuard: FaultGuard) {
        self.journal = journal
        self.faultGuard = faultGuard
    }

    deinit {
        close()
    }

    /// Lets go of the files and of the memory they are mapped into.
    func close() {
        guard let open = journal else { return }
        journal = nil
        clinux_sigbus_enter()
        sd_journal_close(open)
        clinux_sigbus_leave()
    }

    /// A call into libsystemd.
    @inline(__always)
    private func guarded<Result>(_ body: () -> Result) -> Result {
        clinux_sigbus_enter()
        let result = body()
        clinux_sigbus_leave()
        return result
    }

    func next() -> Int32 { guarded { sd_journal_next(journal) } }
    func previous() -> Int32 { guarded { sd_journal_previous(journal) } }
    func previous(skip count: UInt64) -> Int32 { guarded { sd_journal_previous_skip(journal, count) } }
    func seekHead() -> Int32 { guarded { sd_journal_seek_head(journal) } }
    func seekTail() -> Int32 { guarded { sd_journal_seek_tail(journal) } }
    func seek(cursor: String) -> Int32 { guarded { sd_journal_seek_cursor(journal, cursor) } }
    func seek(time: UInt64) -> Int32 { guarded { sd_journal_seek_realtime_usec(journal, time) } }
    func isAt(cursor: String) -> Bool { guarded { sd_journal_test_cursor(journal, cursor) > 0 } }
    func descriptor() -> Int32 { guarded { sd_journal_get_fd(journal) } }
    func process() -> Int32 { guarded { sd_journal_process(journal) } }

    /// The time of the current entry, or a negative error code.
    @inline(__always)
    func realtime(_ time: inout UInt64) -> Int32 { guarded { sd_journal_get_realtime_usec(journal, &time) } }

    func monotonic(_ time: inout UInt64) -> Int32 {
        guarded {
            var boot = sd_id128_t()
            return sd_journal_get_monotonic_usec(journal, &time, &boot)
        }
    }

    /// The time of the oldest entry there is.
    func oldest() -> UInt64? {
        guarded {
            var from: UInt64 = 0
            return sd_journal_get_cutoff_realtime_usec(journal, &from, nil) > 0 ? from : nil
        }
    }

    /// When ``process()`` must be called at the latest, on the monotonic clock in microseconds.
    func deadline() -> UInt64? {
        guarded {
            var deadline: UInt64 = 0
            return sd_journal_get_timeout(journal, &deadline) > 0 && deadline != .max ? deadline : nil
        }
    }

    /// The current entry's cursor, lent to `body`; `nil` and the error code otherwise.
    @inline(__always)
    func withCursor<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        clinux_sigbus_enter()
        defer { clinux_sigbus_leave() }
        var text: UnsafeMutablePointer<CChar>?
        guard sd_journal_get_cursor(journal, &text) >= 0, let text else { return nil }
        defer { free(text) }
        return body(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The first value of one field, lent to `body` without copying.
    @inline(__always)
    func withValue<Result>(of name: [CChar], _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        clinux_sigbus_enter()
        defer { clinux_sigbus_leave() }
        var data: UnsafeRawPointer?
        var length = 0
        let prefix = name.count
        guard sd_journal_get_data(journal, name, &data, &length) >= 0, let data, length >= prefix else {
            return body(nil)
        }
        return body(UnsafeRawBufferPointer(start: data + prefix, count: length - prefix))
    }

    /// All fields, each lent to `body` as `NAME=value`, until it answers false. libsystemd leaves out
    /// those it cannot read. Answers 0, or the negative error code that ended it.
    @inline(__always)
    func forEachField(_ body: (UnsafeRawBufferPointer) -> Bool) -> Int32 {
        clinux_sigbus_enter()
        defer { clinux_sigbus_leave() }
        var data: UnsafeRawPointer?
        var length = 0
        sd_journal_restart_data(journal)
        while true {
            let result = sd_journal_enumerate_available_data(journal, &data, &length)
            if result <= 0 { return result }
            if !body(UnsafeRawBufferPointer(start: data, count: length)) { return 0 }
        }
    }

    /// Whether any entry has the field, told by the index alone; `nil` where the index cannot be read.
    func has(field name: String) -> Bool? {
        guarded {
            guard sd_journal_query_unique(journal, name) >= 0 else { return nil }
            var data: UnsafeRawPointer?
            var length = 0
            sd_journal_restart_unique(journal)
            let result = sd_journal_enumerate_unique(journal, &data, &length)
            return result < 0 ? nil : result > 0
        }
    }

    func add(_ terms: MatchTerms) -> Int32 {
        guarded {
            for (index, alternatives) in terms.conditions.enumerated() {
                if index > 0, case let result = sd_journal_add_conjunction(journal), result < 0 { return result }
                for (index, alternative) in alternatives.enumerated() {
                    if index > 0, case let result = sd_journal_add_disjunction(journal), result < 0 { return result }
                    for (field, values) in alternative {
                        for value in values {
                            let term = Array(field.utf8) + [UInt8(ascii: "=")] + value
                            let result = sd_journal_add_match(journal, term, term.count)
                            if result < 0 { return result }
                        }
                    }
                }
            }
            return 0
        }
    }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }
}
