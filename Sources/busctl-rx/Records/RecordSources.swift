import Bus
import FileBridge
import Filter
import FilterBridge
import Glibc
import JournalBridge
import Loop
import OSSignalBridge
import ProcessBridge
import Records
import SystemPackage
import TapBridge
import Timers

/// The sources of a run, each as a signal of records that the filter selects.
struct RecordSources: Sendable {
    let plan: RecordPlan
    let malformed: MalformedLines
    let report: SearchReport?

    /// The thread that reads standard input and examines its lines.
    private let input = ThreadScheduler(name: "busctl-input")
    /// Whether the filter selects a record.
    private let isWanted: @Sendable (Record) -> Bool

    init(plan: RecordPlan, malformed: MalformedLines, report: SearchReport?) {
        self.plan = plan
        self.malformed = malformed
        self.report = report
        // The closure holds the filter, which then is not copied for each record.
        if let filter = plan.filter {
            isWanted = { [tally = plan.tally] record in filter.selects(record, tally: tally) }
        } else {
            isWanted = { _ in true }
        }
    }

    func signals() -> [AnySignal<RecordItem, TailFailure>] { plan.sources.map(signal) }

    private func signal(_ source: RecordPlan.Source) -> AnySignal<RecordItem, TailFailure> {
        let name = source.name
        let items: AnySignal<RecordItem, TailFailure>
        switch source.source {
        case .journal(let choice): items = journal(choice, source)
        case .export(let path): items = export(path, source)
        case .json(let path): items = lines(path, source) { LineRecords.json($0) }
        case .logfmt(let path): items = lines(path, source) { LineRecords.logfmt($0) }
        case .lines(let path): items = lines(path, source) { LineRecords.line($0) }
        case .signals(let numbers):
            items = live(source, signals(numbers, name))
        case .every(let period):
            let ticks = Signals.interval(every: period).records(from: name).promoteFailure(to: TailFailure.self)
            items = live(source, ticks)
        case .calendar(let calendar):
            let ticks = Signals.interval(calendar: calendar).records(from: name).promoteFailure(to: TailFailure.self)
            items = live(source, ticks)
        case .run(let words):
            let child = ChildProcess(FilePath(words[0]), Array(words.dropFirst()))
            let records = Signals.run(child).records(from: name).mapError { failure(of: name, "\($0)") }
            items = live(source, records.filter { [plan] in !plan.showsLinesAlone || $0.isOutputOfChild })
        case .changes(let path): items = live(source, changes(path, name))
        case .remote(let journal): items = remote(journal, source)
        case .tap(let path): items = TapSource(path, source, plan, on: input).items(isWanted: isWanted)
        case .nats(let argument): items = nats(argument, source)
        case .dbus(let address): items = DBusSource(address, source, plan, on: input).items(isWanted: isWanted)
        }
        return items
    }

    private func failure(of name: String, _ reason: String) -> TailFailure { TailFailure(reason: "\(name): \(reason)") }

    // MARK: Journals

    private func journal(_ journal: JournalSource, _ source: RecordPlan.Source) -> AnySignal<RecordItem, TailFailure> {
        let since = plan.since.map { $0 - source.skew }
        let start = EntryCount.start(plan.lines, since: since, follow: plan.follow, history: plan.history)
        let back = plan.reverseOrder.map { JournalCourse.back($0.retreat(since: since, skew: source.skew)) }
        let course = back ?? .onward(from: start, follow: plan.follow)
        let limit = back == nil ? nil : plan.lines?.limit
        return Signals.journal(journal, course, query: query(of: source), limit: limit, progress: report?.add())
            .recordItems(from: source.name)
            .map { $0.shifted(by: source.skew) }
            .mapError { failure(of: source.name, $0.description) }
            .eraseToAnySignal()
    }

    private func export(_ path: String, _ source: RecordPlan.Source) -> AnySignal<RecordItem, TailFailure> {
        let items = Signals.journalExport(path: path, query: query(of: source))
            .recordItems(from: source.name)
            .map { $0.shifted(by: source.skew) }
            .mapError { failure(of: source.name, $0.description) }
        return newest(items.eraseToAnySignal(), isLive: path == "-" && plan.follow)
    }

    private func remote(_ journal: RemoteJournal, _ source: RecordPlan.Source) -> AnySignal<RecordItem, TailFailure> {
        // The filter's statistics count all entries.
        let match = plan.tally == nil ? plan.filter?.match(ofJournal: source.name) : nil
        let query = plan.filter?.query(of: source.name, tally: plan.tally, match: match ?? .everything) ?? .everything
        // Released after the thread was told to end, which then takes no end of a child for a loss.
        let items = Signals.using({ SerialDisposable() }, release: { $0.dispose() }) { children in
            BlockingReaderSignal(
                RemoteReading(
                    journal: journal,
                    name: source.name,
                    query: query,
                    asked: MatchArguments(query),
                    filter: plan.tally == nil ? plan.filter.flatMap(journal.filter) : nil,
                    isCounted: plan.tally != nil,
                    count: newestCount(isLive: false),
                    isReversed: plan.reverseOrder != nil,
                    since: plan.since.map { $0.subtractingReportingOverflow(source.skew).partialValue },
                    until: plan.until,
                    follows: plan.follow,
                    reconnects: plan.reconnects,
                    configuration: plan.curlConfiguration,
                    children: children
                )
            )
        }
        return items.map { $0.shifted(by: source.skew) }.eraseToAnySignal()
    }

    /// A journal's own reader evaluates the filter, so that unwanted entries are not copied. It uses the times of the
    /// journal, whatever the skew.
    private func query(of source: RecordPlan.Source) -> JournalQuery {
        plan.filter?.query(of: source.name, tally: plan.tally) ?? .everything
    }

    // MARK: Lines

    private func lines(
        _ path: String,
        _ source: RecordPlan.Source,
        _ read: @escaping @Sendable ([UInt8]) -> LineRecords.Reading
    ) -> AnySignal<RecordItem, TailFailure> {
        if let objection = CompressedFile.objection(to: path, as: source.kind) {
            return Signals.fail(failure(of: source.name, objection)).eraseToAnySignal()
        }
        // Without a filter the last lines can be found from the end.
        let start: FileStart =
            if plan.filter == nil, let count = newestCount(isLive: false) { .last(count) } else { .head }
        let items = LineItem.signal(path: path, from: start, follow: plan.follow, on: input)
            .mapError { failure(of: source.name, $0.reason) }
            .transduced(by: LineRecords(source, malformed, read: read, isWanted: isWanted))
            .flatMap(.concat, limit: 1) { Signals.from($0).promoteFailure(to: TailFailure.self) }
        return newest(items.eraseToAnySignal(), isLive: path == "-" && plan.follow)
    }

    /// The newest of the existing records, as many as requested.
    ///
    /// - Parameter isLive: new records are to be shown when they come, because the end may be far.
    private func newest(
        _ items: AnySignal<RecordItem, TailFailure>,
        isLive: Bool
    ) -> AnySignal<RecordItem, TailFailure> {
        if let count = newestCount(isLive: isLive) {
            return items.transduced(by: KeepNewest(count: count, isReversed: plan.reverseOrder != nil))
                .eraseToAnySignal()
        }
        return isLive ? items.prepend(.caughtUp).eraseToAnySignal() : items
    }

    private func newestCount(isLive: Bool) -> Int? {
        switch plan.lines {
        case .last(let last): last
        case .all: nil
        case nil: plan.follow && !isLive && plan.since == nil ? plan.history : nil
        }
    }

    // MARK: Live sources

    private func signals(_ numbers: [CInt], _ name: String) -> AnySignal<Record, TailFailure> {
        do throws(OSSignalError) {
            let set = try OSSignalSet(numbers)
            return Signals.osSignals(set).records(from: name).mapError { failure(of: name, $0.description) }
                .eraseToAnySignal()
        } catch {
            return Signals.fail(failure(of: name, error.description)).eraseToAnySignal()
        }
    }

    private func changes(_ path: String, _ name: String) -> AnySignal<Record, TailFailure> {
        var status = stat()
        let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        if isDirectory {
            return Signals.changes(in: FilePath(path)).records(from: name, path: path)
                .mapError { failure(of: name, $0.description) }.eraseToAnySignal()
        }
        return Signals.changes(of: FilePath(path)).records(from: name, path: path)
            .mapError { failure(of: name, $0.description) }.eraseToAnySignal()
    }

    private func nats(_ argument: NATSArgument, _ source: RecordPlan.Source) -> AnySignal<RecordItem, TailFailure> {
        #if NATS
            let items = NATSSource(argument, source, plan, on: input).items(isWanted: isWanted)
            guard argument.start != nil else { return items }
            let whole = plan.follow ? items : items.take(until: { $0.isCaughtUp }).eraseToAnySignal()
            guard case .last(let count) = plan.lines else { return whole }
            return whole.transduced(by: KeepNewest(count: count)).eraseToAnySignal()
        #else
            let reason = SourceAvailability.natsObjection ?? "not here"
            return Signals.fail(failure(of: source.name, reason)).eraseToAnySignal()
        #endif
    }

    /// A source without a past.
    private func live(
        _ source: RecordPlan.Source,
        _ records: some Signal<Record, TailFailure>
    ) -> AnySignal<RecordItem, TailFailure> {
        records.map { RecordItem.record($0) }
            .map { $0.shifted(by: source.skew) }
            .filter { item in if case .record(let record) = item { isWanted(record) } else { true } }
            .prepend(.caughtUp)
            .eraseToAnySignal()
    }
}

extension Record {
    /// Whether it is a line that a child has written, and not its start or end.
    fileprivate var isOutputOfChild: Bool { ["output", "errors"].contains(self["stream"]) }
}

extension RecordItem {
    fileprivate var isCaughtUp: Bool { if case .caughtUp = self { true } else { false } }

    /// The same with another time.
    func shifted(by microseconds: Int64) -> RecordItem {
        guard microseconds != 0, case .record(var record) = self else { return self }
        record.time = record.time.addingReportingOverflow(microseconds).partialValue
        return .record(record)
    }
}
