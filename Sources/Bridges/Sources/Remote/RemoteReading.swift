import Bus
import DequeModule
import DescriptorBridge
import FilterBridge
import Glibc
import JournalBridge
import Loop
import Records
import SystemPackage

/// Reads the journal of another machine: first the entries that are there, then, over a second connection, those that
/// come. The second one begins with the last entry of the first, which shows that none is missing in between.
struct RemoteReading: BlockingReading {
    typealias Value = RemoteItem
    typealias Failure = SourceError

    /// How one connection ended.
    enum Ending {
        /// As it should.
        case complete
        case lost(String)
        /// Nothing more is wanted.
        case stopped
    }

    /// The step after an entry.
    enum Step {
        case more
        /// It was there before.
        case pass
        case enough, stop
    }

    let journal: RemoteJournal
    /// The source's name.
    let name: String
    let query: JournalQuery
    /// The part of the query that the machine is asked for.
    let asked: MatchArguments
    /// The whole filter, if it selects the same entries on the machine itself.
    let filter: RemoteFilter?
    /// The grouping, if records are counted; and the question, if the machine may count them itself.
    let grouping: RecordGrouping?
    let counts: RemoteCounts?
    /// Whether the filter's evaluations are counted, so that it may be asked only once about each entry.
    let isCounted: Bool
    /// How many of the newest entries that match it begins with; `nil` for all.
    let count: Int?
    /// The entry behind which it begins.
    let cursor: String?
    /// Whether the newest of them comes first.
    let isReversed: Bool
    /// The first and the last time that is wanted, in microseconds since 1970.
    let since: Int64?
    let until: Int64?
    let follows: Bool
    let tellsPlaces: Bool
    /// Whether the machine is waited for when the first connection fails.
    let reconnects: Bool
    let note: @Sendable (SourceNote) -> Void
    /// The file with further options for curl.
    let configuration: String?
    /// The child that runs.
    let children: SerialDisposable

    init(
        _ journal: RemoteJournal,
        _ request: SourceRequest,
        counting grouping: RecordGrouping? = nil,
        configuration: String?,
        in children: SerialDisposable
    ) {
        self.journal = journal
        name = request.name
        query = request.journalQuery
        asked = MatchArguments(query)
        // The filter's statistics count all entries.
        let text = journal.isSearchable && request.tally == nil ? request.filter?.textForJournalAlone() : nil
        filter = text.flatMap { text in request.build().map { RemoteFilter(text: text, build: $0) } }
        self.grouping = grouping
        counts = journal.isSearchable ? grouping.flatMap { RemoteCounts(request, by: $0) } : nil
        isCounted = request.tally != nil
        count = request.count()
        cursor = if case .behind(let cursor) = request.start { cursor } else { nil }
        isReversed = request.isReversed
        since = request.sourceSince?.microseconds
        until = request.until?.microseconds
        follows = request.follows
        tellsPlaces = request.tellsPlaces
        reconnects = request.reconnects
        note = request.note
        self.configuration = configuration
        self.children = children
    }

    var threadName: String { "bus-journal" }

    func failure(_ error: BlockingReaderError) -> SourceError {
        SourceError(of: name, "\(JournalError(error.operation, errno: error.code))")
    }

    func deliver<Downstream: Observer & ~Copyable>(
        to output: BlockingReaderOutput<Downstream>
    ) throws(SourceError) where Downstream.Value == Value, Downstream.Failure == SourceError {
        guard output.waitUntilReady() else { return }
        if asked.isNothing { return waitForNothing(output) }
        var place = RemotePlace(source: name, behind: cursor)
        var attempts = RemoteAttempts(note: note)
        reading: while true {
            switch try readHistory(&place, &attempts, output) {
            case .complete:
                _ = attempts.reached()
                break reading
            case .stopped: return
            case .lost(let reason):
                guard reconnects else { throw SourceError(of: name, reason) }
                // Other sources do not wait for this one meanwhile.
                guard output.send(.item(.caughtUp)) else { return }
                attempts.wait(after: reason, orUntilReadable: output.stopDescriptor)
                guard output.isOpen else { return }
            }
        }
        guard try tell(&place, after: 1, output), output.send(.item(.caughtUp)), follows else { return }
        while true {
            switch try follow(&place, &attempts, output) {
            case .complete: attempts.wait(after: "the connection has ended", orUntilReadable: output.stopDescriptor)
            case .stopped: return
            case .lost(let reason): attempts.wait(after: reason, orUntilReadable: output.stopDescriptor)
            }
            guard output.isOpen else { return }
        }
    }

    /// No entry of this machine can be selected, so there is no connection. Following goes on until it is told to end, as
    /// with a journal of this machine.
    private func waitForNothing<Downstream: Observer & ~Copyable>(
        _ output: BlockingReaderOutput<Downstream>
    ) where Downstream.Value == Value, Downstream.Failure == SourceError {
        guard output.send(.item(.caughtUp)), follows else { return }
        var polled = pollfd(fd: output.stopDescriptor, events: Int16(POLLIN), revents: 0)
        while output.isOpen { poll(&polled, 1, -1) }
    }

    func request(
        _ place: RemoteRequest.Place,
        follows: Bool = false,
        counts: RemoteCounts? = nil
    ) -> RemoteRequest {
        RemoteRequest(
            place: place,
            until: until,
            follows: follows,
            alternatives: asked.alternatives,
            matches: asked.matches,
            filter: counts == nil ? filter : nil,
            counts: counts
        )
    }

    /// Goes on behind the last entry, over and over.
    private func follow<Downstream: Observer & ~Copyable>(
        _ place: inout RemotePlace,
        _ attempts: inout RemoteAttempts,
        _ output: BlockingReaderOutput<Downstream>
    ) throws(SourceError) -> Ending where Downstream.Value == Value, Downstream.Failure == SourceError {
        let request = request(try place.last().map { .cursor($0) } ?? .head(since: since), follows: true)
        var search = RemoteResumption(behind: place)
        return try read(request, &place, output) { reader, place in
            if let step = resume(reader, &search, &place, &attempts, output) { return step }
            return send(reader, &place, output)
        }
    }

    /// Sends the current entry, if it is wanted.
    func send<Downstream: Observer & ~Copyable>(
        _ reader: borrowing ExportReader,
        _ place: inout RemotePlace,
        _ output: BlockingReaderOutput<Downstream>
    ) -> Step where Downstream.Value == Value, Downstream.Failure == SourceError {
        guard reader.isMatch else { return .more }
        return output.send(place.record(reader.entry())) ? .more : .stop
    }

    // MARK: Places

    /// A place is told behind so many entries that the filter does not select.
    private static var maxPassed: Int { 256 }

    /// Tells up to where the journal was read, if so many entries have come since the last record.
    ///
    /// - Returns: whether more is wanted.
    private func tell<Downstream: Observer & ~Copyable>(
        _ place: inout RemotePlace,
        after count: Int,
        _ output: BlockingReaderOutput<Downstream>
    ) throws(SourceError) -> Bool where Downstream.Value == Value, Downstream.Failure == SourceError {
        guard tellsPlaces, let text = try place.text(after: count) else { return true }
        return output.send(.item(.place(text)))
    }

    // MARK: One connection

    /// How long other sources wait for the first of the entries that are there, in milliseconds.
    private static var maxSilence: CInt { 15_000 }

    /// Reads until the child ends, and hands every entry over.
    func read<Downstream: Observer & ~Copyable>(
        _ request: RemoteRequest,
        _ place: inout RemotePlace,
        _ output: BlockingReaderOutput<Downstream>,
        _ take: (borrowing ExportReader, inout RemotePlace) throws(SourceError) -> Step
    ) throws(SourceError) -> Ending where Downstream.Value == Value, Downstream.Failure == SourceError {
        let child = try start(request)
        let stop = output.stopDescriptor
        var head: [UInt8] = []
        if let counts = request.counts, let ending = try readCounts(counts, from: child, &head, place, output) {
            return ending
        }
        var ending: Ending?
        // The machine may take long to find its old entries. Other sources that are followed do not wait for ever.
        var isAwaited = follows && !request.follows
        var reader = ExportReader(journal.name, query: query, refusesUnfinished: true) {
            (buffer) throws(JournalError) in
            if isAwaited, case .silent = child.wait(orUntilReadable: stop, limit: Self.maxSilence) {
                note(.message("nothing has come for 15 s; other sources are shown without it"))
                guard output.send(.item(.caughtUp)) else { return 0 }
            }
            isAwaited = false
            let count = min(head.count, buffer.count)
            buffer.copyBytes(from: head[..<count])
            head.removeFirst(count)
            if let count = try count > 0 ? count : Self.read(from: child, into: buffer, orUntilReadable: stop) {
                return grouping == nil || output.send(.isRead) ? count : 0
            }
            let reason = child.reason(orUntilReadable: stop)
            ending = reason.map { .lost($0) } ?? .complete
            // An entry without its end was cut off, and is none: a child that follows, or that failed, does not end by itself.
            if reason != nil || request.follows { throw JournalError("read", "the output of a child", errno: EPIPE) }
            return 0
        }
        while output.isOpen {
            let step: ExportReader.Step
            do {
                step = try reader.advanceToAny()
            } catch let error as JournalError {
                return output.isOpen ? ending ?? .lost(error.description) : .stopped
            } catch {
                throw SourceError(of: name, "\(error)")
            }
            for remark in child.takeRemarks() {
                guard output.send(place.gap(lost: nil, remark)) else { return .stopped }
            }
            switch step {
            case .end: return output.isOpen ? ending ?? .stopped : .stopped
            // The child has ended well. Without a length, the end of an answer may be that of a lost connection.
            case .cut: return output.isOpen ? .lost("the output ends inside an entry") : .stopped
            case .skipped(let fields):
                guard output.send(place.gap(lost: nil, fields.description)) else { return .stopped }
            case .entry:
                switch try take(reader, &place) {
                case .more:
                    try place.note(reader.cursor, reader.realtime)
                    guard try tell(&place, after: Self.maxPassed, output) else { return .stopped }
                case .pass: continue
                case .enough: return .complete
                case .stop: return .stopped
                }
            }
        }
        return .stopped
    }

    private func start(_ request: RemoteRequest) throws(SourceError) -> RemoteChild {
        do throws(DescriptorError) {
            return try RemoteChild(journal.child(request, configuration: configuration), in: children)
        } catch {
            throw SourceError(of: name, error.description)
        }
    }

    /// Returns `nil` at the end of the output, and when nothing more is wanted.
    static func read(
        from child: RemoteChild,
        into buffer: UnsafeMutableRawBufferPointer,
        orUntilReadable stop: CInt
    ) throws(JournalError) -> Int? {
        guard case .readable = child.wait(orUntilReadable: stop) else { return nil }
        do throws(Errno) {
            let count = try child.read(into: buffer)
            return count > 0 ? count : nil
        } catch {
            throw JournalError("read", "the output of a child", errno: error.rawValue)
        }
    }
}
