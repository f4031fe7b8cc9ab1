public import Bus
package import Filter
public import FilterBridge
package import JournalBridge
public import Records

/// What is wanted of a source.
public struct SourceRequest: Sendable {
    /// The old records that are wanted.
    public enum Start: Sendable, Hashable {
        /// All.
        case all
        /// So many of the newest that the filter selects, and the source's end is waited for to know which these are. Write times into
        /// the filter: `until` is compared when they have been chosen.
        case last(Int)
        /// So many of the newest when what comes is read, too; all when it is not, or when an earliest time is given. Of standard input
        /// that is followed, only what comes: its old records have no end that can be seen.
        case recent(Int)
        /// All behind a place that the source has told (``tellsPlaces``). Only of sources with ``SourceTraits/places``; where the place is no
        /// longer there, a gap says so.
        case behind(String)
    }

    /// The source's name, which its records carry.
    public var name: String
    /// Selects the records; `nil` for all.
    public var filter: RecordFilter?
    /// The old records that are wanted; see ``Start/recent(_:)`` for the default.
    public var start = Start.recent(10)
    /// The earliest time that is wanted. A source that can find it begins there; others send earlier records, too.
    public var since: RecordTime?
    /// The latest time that is wanted, in the same way.
    public var until: RecordTime?
    /// Whether to go on with what comes.
    public var follows = true
    /// Whether the newest of the old records comes first. Only asked of sources that are ``SourceTraits/backward``, or ``SourceTraits/reversible``
    /// with a `start` that says how many.
    public var isReversed = false
    /// Whether the source also tells places (`RecordItem.place`) by which it can be read on after a restart. Only sources with
    /// ``SourceTraits/places`` do so.
    public var tellsPlaces = false
    /// Whether a source that cannot be reached, or was lost, is waited for. A gap then reports what was missed.
    public var reconnects = false
    /// Added to the source's times.
    public var skew = Duration.zero { didSet { shift = skew.wholeMicroseconds } }
    /// Where sources without a thread of their own read and deliver.
    public var scheduler: ThreadScheduler
    /// Called with what a person may want to know, on any thread.
    public var note: @Sendable (SourceNote) -> Void = { _ in }

    /// The same as `skew`, in microseconds.
    private(set) var shift: Int64 = 0
    /// Counts the filter's results.
    package var tally: FilterTally?
    /// Whether it is the only source of its reader.
    package var isAlone = true
    /// When standard input is no longer read, which does not tell where its old records end.
    package var end: AnySignal<Void, Never>?
    /// Receives the progress of a search.
    package var progress: SearchProgress?
    /// The digest of this program, if it is `busctl-rx`: another machine's `busctl-rx` of the same digest may evaluate filters.
    package var build: @Sendable () -> String? = { nil }

    /// - Parameters:
    ///   - name: the source's name.
    ///   - scheduler: where sources without a thread of their own read and deliver.
    public init(name: String, on scheduler: ThreadScheduler = ThreadScheduler(name: "bus-records")) {
        self.name = name
        self.scheduler = scheduler
    }

    /// Whether the filter selects a record. Gaps are always selected.
    public var selects: @Sendable (Record) -> Bool {
        // The closure holds the filter, which then is not copied for each record.
        guard let filter else { return { _ in true } }
        return { [tally] record in filter.selects(record, tally: tally) }
    }

    /// The place behind which reading begins, as the source wrote it; `nil` where none is asked for.
    func place<Place>(_ read: (String) -> Place?) throws(SourceError) -> Place? {
        guard case .behind(let text) = start else { return nil }
        guard let place = read(text) else { throw failure("\(text.debugDescription) is no place in this source") }
        return place
    }

    /// The failure of this source.
    public func failure(_ reason: String) -> SourceError { SourceError(of: name, reason) }

    /// How many of the newest old records to keep; `nil` for all.
    ///
    /// - Parameter isLive: the source's end may be far, and what it has is shown when it comes.
    func count(isLive: Bool = false) -> Int? {
        switch start {
        case .all, .behind: nil
        case .last(let count): count
        case .recent(let count): follows && since == nil && !isLive ? count : nil
        }
    }
}

/// What a person may want to know about a source while it is read.
public enum SourceNote: Sendable, Hashable {
    /// A connection was lost or could not be made, and is tried again, or the like.
    case message(String)
    /// A line is not of the format that was expected, and was taken for text.
    case malformed(line: UInt64)
}

/// A source that is not available or was lost.
public struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The source's name.
    public let source: String
    /// Why, for a person to read.
    public let reason: String

    /// A failure for a source to send. ``SourceRequest/failure(_:)`` makes it with the source's name.
    public init(of source: String, _ reason: String) {
        self.source = source
        self.reason = reason
    }

    public var description: String { "\(source): \(reason)" }
}

extension Signal where Value == Record, Failure == SourceError {
    /// The records that a request asks for, of a source without old ones.
    public consuming func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let selects = request.selects
        return map { [shift = request.shift] in RecordItem.record($0).shifted(by: shift) }
            .filter { item in if case .record(let record) = item { selects(record) } else { true } }
            .prepend(.caughtUp)
            .eraseToAnySignal()
    }
}

extension RecordItem {
    /// The same with another time.
    func shifted(by microseconds: Int64) -> RecordItem {
        guard microseconds != 0, case .record(var record) = self else { return self }
        record.time = record.time.shifted(by: microseconds)
        return .record(record)
    }
}
