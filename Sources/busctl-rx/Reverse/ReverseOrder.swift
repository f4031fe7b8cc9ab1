import JournalBridge

/// The input for `--reverse`: a journal from its end; of a stream or a file that ends the newest records, which are
/// kept until it has ended.
struct ReverseOrder {
    /// The last time that is wanted, in microseconds since 1970.
    let until: Int64?

    /// Refuses sources that cannot be read from an end.
    static func check(_ sources: [SourceArgument], _ lines: EntryCount?) throws {
        guard let only = sources.first, sources.count == 1 else {
            throw ValidationError("--reverse reads one source. The order of several is found by reading on.")
        }
        switch only.source {
        case .journal: return
        case .export, .json, .logfmt, .lines, .remote:
            if case .last = lines { return }
            throw ValidationError(
                "--reverse shows the end of \(only.text) first, and keeps what comes before it. Say how much with -n, as in -n 100."
            )
        case .signals, .every, .calendar, .run, .changes, .tap, .dbus, .nats:
            throw ValidationError(
                "--reverse shows what was there before, and \(only.kind.rawValue): has nothing of that."
            )
        }
    }

    /// The way back through a journal.
    ///
    /// - Parameters:
    ///   - since: the first time that is wanted, in microseconds since 1970.
    ///   - cursor: the entry before which it begins, whatever other options say.
    ///   - skew: how far the journal's clock is behind, in microseconds.
    func retreat(since: Int64?, cursor: String? = nil, skew: Int64 = 0) -> JournalRetreat {
        let last = until.map {
            JournalRetreat.Start.time(UInt64(clamping: $0.subtractingReportingOverflow(skew).partialValue))
        }
        return JournalRetreat(
            from: cursor.map { .cursor($0) } ?? last ?? .tail,
            since: since.map { UInt64(clamping: $0) }
        )
    }
}

extension EntryCount {
    /// How many entries are read from the end; `nil` for all.
    var limit: Int? { if case .last(let count) = self { count } else { nil } }
}
