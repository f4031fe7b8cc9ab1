import Bus
import JournalBridge
import Loop
import Records

extension RemoteReading {
    /// Takes the current entry of a connection that goes on behind the last entry of the one before. If that one is
    /// missing, a gap reports it.
    ///
    /// - Returns: `nil` if the entry is to be sent.
    func resume<Downstream: Observer & ~Copyable>(
        _ reader: borrowing ExportReader,
        _ search: inout RemoteResumption,
        _ place: inout RemotePlace,
        _ attempts: inout RemoteAttempts,
        _ output: BlockingReaderOutput<Downstream>
    ) -> Step? where Downstream.Value == Value, Downstream.Failure == SourceError {
        if !search.isOver {
            switch search.look(at: reader) {
            case .before: return .pass
            case .last:
                let gap = Self.gap(after: attempts.reached(), hasLast: true, place)
                return gap.map { output.send($0) } == false ? .stop : .more
            case .behind:
                guard sendHeld(search, &place, &attempts, output) else { return .stop }
            }
        }
        attempts.progressed()
        return nil
    }

    /// Reports that the last entry of the connection before is missing, and sends the entries that were held back.
    ///
    /// - Returns: whether more is wanted.
    private func sendHeld<Downstream: Observer & ~Copyable>(
        _ search: RemoteResumption,
        _ place: inout RemotePlace,
        _ attempts: inout RemoteAttempts,
        _ output: BlockingReaderOutput<Downstream>
    ) -> Bool where Downstream.Value == Value, Downstream.Failure == SourceError {
        let duration = attempts.reached()
        // Nothing came before.
        guard search.last != nil else { return true }
        if let gap = Self.gap(after: duration, hasLast: false, place), !output.send(gap) { return false }
        for entry in search.held where !isBefore(UInt64(clamping: entry.realtime.microseconds)) {
            guard output.send(place.record(entry)) else { return false }
        }
        return true
    }

    /// Ends a connection that has brought all old entries, but not the last entry of the connection before.
    ///
    /// - Returns: whether more is wanted.
    func finish<Downstream: Observer & ~Copyable>(
        _ search: RemoteResumption,
        _ place: inout RemotePlace,
        _ attempts: inout RemoteAttempts,
        _ output: BlockingReaderOutput<Downstream>
    ) throws(SourceError) -> Bool where Downstream.Value == Value, Downstream.Failure == SourceError {
        // If nothing came, the connection that follows looks for the last entry once more, and reports it.
        guard !search.isOver, search.last != nil, search.lastHeld != nil || !follows else { return true }
        guard sendHeld(search, &place, &attempts, output) else { return false }
        if let last = search.lastHeld { try place.note(last.cursor, last.realtime) }
        return true
    }

    /// - Parameters:
    ///   - duration: how long there was no connection; `nil` if there was one.
    ///   - hasLast: whether it goes on with the last entry that came before.
    private static func gap(after duration: Duration?, hasLast: Bool, _ place: RemotePlace) -> RemoteItem? {
        if duration == nil, hasLast { return nil }
        let time = duration.map { "there was no connection for \(text($0))" }
        let loss = "the last entry before is no longer in the journal, and entries behind it may be missing"
        return place.gap(
            lost: hasLast ? 0 : nil,
            [time, hasLast ? "what was written meanwhile follows" : loss].compactMap { $0 }.joined(separator: "; ")
        )
    }

    private static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return TimeGapLine.text(UInt64(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000) * 1000)
    }
}
