import Bus
import DequeModule
import JournalBridge
import Loop
import Records

extension RemoteReading {
    /// Reads the entries that are there.
    func readHistory<Downstream: Observer & ~Copyable>(
        _ place: inout RemotePlace,
        _ attempts: inout RemoteAttempts,
        _ output: BlockingReaderOutput<Downstream>
    ) throws(SourceError) -> Ending where Downstream.Value == Value, Downstream.Failure == SourceError {
        if let count { return try readNewest(count, &place, output) }
        return try readOnward(&place, &attempts, output)
    }

    /// All entries, as they come. After a lost connection it goes on behind the last one.
    private func readOnward<Downstream: Observer & ~Copyable>(
        _ place: inout RemotePlace,
        _ attempts: inout RemoteAttempts,
        _ output: BlockingReaderOutput<Downstream>
    ) throws(SourceError) -> Ending where Downstream.Value == Value, Downstream.Failure == SourceError {
        let last = try place.last()
        var size = last == nil && since != nil && !journal.isSearchable ? Self.firstWindow : nil
        while true {
            let start: RemoteRequest.Place =
                if let last { .cursor(last) } else if let size { .newest(size, since: since) } else {
                    .head(since: since)
                }
            var search = RemoteResumption(behind: place)
            var isFirst = true
            var isTooLate = false
            let counts = last == nil ? counts : nil
            let ending = try read(request(start, counts: counts), &place, output) { reader, place in
                defer { isFirst = false }
                if isFirst, size != nil, !isBefore(reader.realtime) {
                    isTooLate = true
                    return .enough
                }
                if let step = resume(reader, &search, &place, &attempts, output) { return step }
                return isBefore(reader.realtime) ? .more : send(reader, &place, output)
            }
            if isTooLate, let tooSmall = size {
                size = Self.window(after: tooSmall)
                continue
            }
            guard case .complete = ending else { return ending }
            return try finish(search, &place, &attempts, output) ? .complete : .stopped
        }
    }

    /// The newest entries that match. A searchable journal is read back until there are enough; of another one, more and
    /// more of the newest entries are read.
    private func readNewest<Downstream: Observer & ~Copyable>(
        _ count: Int,
        _ place: inout RemotePlace,
        _ output: BlockingReaderOutput<Downstream>
    ) throws(SourceError) -> Ending where Downstream.Value == Value, Downstream.Failure == SourceError {
        let isBackward = journal.isSearchable
        // The last entry has to be known, if only to go on behind it.
        var size: Int? = max(count, 1)
        if query.condition != nil {
            // A larger window has the entries of the smaller one again.
            size = isBackward || isCounted ? nil : max(Self.firstWindow, min(count, 1 << 20) * 8)
        }
        while true {
            var found = Deque<JournalEntry>()
            var seen = 0
            var reachesBack = size == nil
            var newest: (cursor: [UInt8], realtime: UInt64)?
            let start = RemoteRequest.Place.newest(size, since: isBackward ? since : nil)
            let ending = try read(request(start), &place, output) { reader, _ in
                seen += 1
                if newest == nil || !isBackward { newest = (reader.cursor, reader.realtime) }
                if isBefore(reader.realtime) {
                    reachesBack = true
                    return .pass
                }
                if count > 0, reader.isMatch { found.append(reader.entry()) }
                if found.count > count { found.removeFirst() }
                return isBackward && found.count >= count ? .enough : .pass
            }
            guard case .complete = ending else { return ending }
            if !isBackward, !reachesBack, found.count < count, let small = size, seen >= small {
                size = Self.window(after: small)
                continue
            }
            if let newest { try place.note(newest.cursor, newest.realtime) }
            for entry in isBackward == isReversed ? found : Deque(found.reversed()) {
                guard output.send(place.record(entry)) else { return .stopped }
            }
            return .complete
        }
    }

    /// Whether an entry of this time, in microseconds since 1970, is earlier than all that is wanted.
    func isBefore(_ realtime: UInt64) -> Bool { since.map { realtime < UInt64(clamping: $0) } ?? false }

    // MARK: Windows

    /// How many of the newest entries of a journal that cannot be searched are read at first.
    private static var firstWindow: Int { 256 }
    private static var maxWindow: Int { 1 << 24 }

    /// The next larger one; `nil` for the whole journal.
    private static func window(after size: Int) -> Int? { size >= maxWindow ? nil : size * 16 }
}
