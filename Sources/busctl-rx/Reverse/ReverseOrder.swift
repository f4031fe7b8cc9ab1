import JournalBridge
import RecordSources
import Records

/// The input for `--reverse`: a journal from its end; of a stream or a file that ends the newest records, which are
/// kept until it has ended.
struct ReverseOrder {
    /// The last time that is wanted, in microseconds since 1970.
    let until: Int64?

    /// Refuses sources that cannot be read from an end.
    ///
    /// - Parameter text: the source as it is typed.
    static func check(_ sources: [any RecordSource], typedAs text: String, _ lines: EntryCount?) throws {
        guard let only = sources.first, sources.count == 1 else {
            throw ValidationError("--reverse reads one source. The order of several is found by reading on.")
        }
        if only.traits.contains(.backward) { return }
        guard only.traits.contains(.reversible) else {
            throw ValidationError("--reverse shows what was there before, and \(only.word): has nothing of that.")
        }
        if case .last = lines { return }
        throw ValidationError(
            "--reverse shows the end of \(text) first, and keeps what comes before it. Say how much with -n, as in -n 100."
        )
    }

    /// The way back through a journal.
    ///
    /// - Parameters:
    ///   - since: the first time that is wanted, in microseconds since 1970.
    ///   - cursor: the entry before which it begins, whatever other options say.
    func retreat(since: Int64?, cursor: String? = nil) -> JournalRetreat {
        let last = until.map { JournalRetreat.Start.time(UInt64(clamping: $0)) }
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
