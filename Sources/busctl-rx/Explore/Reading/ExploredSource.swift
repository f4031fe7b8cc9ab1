import Bus
import Filter
import JournalBridge
import RecordSources
import Records

/// A question about the records that are explored.
struct ExploreQuery: Equatable, Sendable {
    /// A filter, or nothing for all records.
    var filter = ""
    /// The times that are looked at, in microseconds since 1970; `nil` for all. A side is open with the smallest or the largest number.
    var window: ClosedRange<Int64>?

    var since: Int64? { window.map(\.lowerBound).flatMap { $0 > .min ? $0 : nil } }
    var until: Int64? { window.map(\.upperBound).flatMap { $0 < .max ? $0 : nil } }
}

/// The records that a query selects, in numbers: of all that were read so far.
struct ExploreCounts: Sendable {
    /// By each of the groupings, in their order.
    var groups: [RecordCounts] = []
    var total = 0
    /// The last numbers up to which they are counted.
    var ends: [EntryNumber] = []
    /// The share that has been read, from 0 to 1.
    var share = 0.0
    /// How often records may be missing between those that were counted.
    var gaps = 0

    /// Whether a record is among those that were read.
    func covers(_ record: NumberedRecord) -> Bool {
        guard let number = record.number else { return false }
        return ends.contains { number == $0 || number.isBefore($0) }
    }
}

/// A record, with its number among all records of its source.
struct NumberedRecord: Sendable {
    let record: Record
    let number: EntryNumber?
}

/// A place in the records from which others are read.
enum ExplorePlace: Sendable {
    case begin
    case end
    /// The first record at this time or later, in microseconds since 1970.
    case time(Int64)
    /// This record, which is not read again.
    case record(Record)
}

/// Records that can be counted and read from any place. Each signal reads on a thread of its own.
protocol ExploredSource: Sendable {
    /// The name, for a person.
    var title: String { get }
    /// The fields whose values are shown first.
    var facets: [String] { get }
    /// Which records there are now, for a person; `nil` where that is all.
    var bound: String? { get }

    /// Refuses a filter that this source cannot have.
    func check(_ filter: String) throws(FilterError)
    /// The names of the fields that there are. Reads them.
    func fieldNames() -> [String]
    /// Some of the values of a field that begin with a text. Reads them.
    func values(of field: String, startingWith start: String) -> [String]
    /// Counts which grow, up to the present end.
    func counts(_ query: ExploreQuery, by groupings: [RecordGrouping]) throws(FilterError) -> AnySignal<
        ExploreCounts, SourceError
    >
    /// At most so many records from a place on, the newest first if `goesBack`.
    func records(
        _ query: ExploreQuery,
        from place: ExplorePlace,
        goesBack: Bool,
        limit: Int
    ) throws(FilterError) -> AnySignal<NumberedRecord, SourceError>
    /// The records that come after a place.
    ///
    /// - Parameters:
    ///   - place: `nil` where the query selected nothing before `time`.
    ///   - time: when the end was looked for.
    func following(
        _ query: ExploreQuery,
        from place: ExplorePlace?,
        since time: Int64
    ) throws(FilterError) -> AnySignal<NumberedRecord, SourceError>
    /// The selected records, up to the present end, as text in a format of tail; `nil` where these records have no such format.
    ///
    /// - Parameter gap: called where records may be missing.
    func text(
        _ query: ExploreQuery,
        as format: OutputFormat,
        isUTC: Bool,
        gap: @escaping @Sendable () -> Void
    ) throws(FilterError) -> AnySignal<[UInt8], SourceError>?
}

extension ExploredSource {
    var bound: String? { nil }

    /// `nil` for a filter that this source can have.
    func mistake(in filter: String) -> FilterError? {
        do throws(FilterError) {
            try check(filter)
            return nil
        } catch {
            return error
        }
    }
}
