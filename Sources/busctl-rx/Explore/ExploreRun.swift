import Bus
import Filter
import Glibc
import RecordSources
import Records
import Terminal

/// One run of `explore`: the screen, and the answers to the model's questions.
final class ExploreRun {
    /// The time between two drawings while much happens.
    private static let pace = Duration.milliseconds(30)
    /// More records that have come are not kept for the screen, but read again.
    private static let maxWaiting = 20_000
    /// So many bytes of records are read at once, and one record.
    private static let maxPage = 4 << 20

    private let source: any ExploredSource
    private let screen: Screen
    private let outcome: TailOutcome
    private let inbox: Inbox
    /// Looks up names and values of fields.
    private let fields = ThreadScheduler(name: "bus-fields")
    private var model: ExploreModel
    private let isUTC: Bool
    private var counting: (any Disposable)?
    private var reading: [Bool: any Disposable] = [:]
    private var following: (any Disposable)?
    private var finding: (any Disposable)?
    private var exporting: (any Disposable)?
    /// The file that is being written.
    private let written = Lock<String?>(nil)
    /// When the last question was asked.
    private var lastAsked: Int64 = 0

    init(_ source: any ExploredSource, _ model: ExploreModel, on screen: Screen, _ outcome: TailOutcome, isUTC: Bool) {
        self.source = source
        self.model = model
        self.screen = screen
        self.outcome = outcome
        self.isUTC = isUTC
        inbox = Inbox(waker: screen.waker, maxWaiting: Self.maxWaiting)
    }

    /// Shows a message for a person, from any thread.
    var report: @Sendable (String) -> Void { { [inbox] message in inbox.post(.failure(message)) } }

    /// Blocks until a person or a signal ends it.
    func run() -> TailOutcome.End {
        defer {
            for one in [counting, following, finding, exporting, reading[true], reading[false]] { one?.dispose() }
        }
        perform(model.begin(columns: screen.size.columns, rows: screen.size.rows))
        var isChanged = true
        var next = ContinuousClock.now
        while true {
            if let end = outcome.end { return withFile(end) }
            if isChanged, ContinuousClock.now >= next {
                screen.show(ExploreView.canvas(of: model, hasBlocks: screen.hasUnicode, isUTC: isUTC))
                isChanged = false
                next = .now + Self.pace
            }
            let typed = screen.events(within: isChanged ? max(.zero, next - .now) : nil)
            let events = typed.map(ExploreModel.Event.screen) + inbox.take()
            // Typing is seen at once.
            if !typed.isEmpty { next = .now }
            if !events.isEmpty { isChanged = true }
            for event in events {
                if case .screen(.resized) = event {
                    perform(model.step(.size(columns: screen.size.columns, rows: screen.size.rows)))
                } else {
                    perform(model.step(event))
                }
            }
        }
    }

    /// A file that is still being written is left as it is, which is said.
    private func withFile(_ end: TailOutcome.End) -> TailOutcome.End {
        guard let file = written.withLock({ $0 }) else { return end }
        let text = "\(file) was still being written: it has a part of what was selected"
        return TailOutcome.End(
            status: end.status == .matched ? .sourceLost : end.status,
            reason: [end.reason, text].compactMap { $0 }.joined(separator: "; ")
        )
    }

    private func perform(_ effects: [ExploreModel.Effect]) {
        for effect in effects {
            do throws(FilterError) {
                try perform(effect)
            } catch {
                // The filter has been checked; with the times beside it, it may be too large.
                switch effect {
                case .count(_, _, let number): perform(model.step(.countingFailed(error.message, of: number)))
                case .read(_, _, _, let number), .follow(_, _, let number):
                    perform(model.step(.readingFailed(error.message, of: number)))
                default: perform(model.step(.failure(error.message)))
                }
            }
        }
    }

    private func perform(_ effect: ExploreModel.Effect) throws(FilterError) {
        switch effect {
        case .count(let query, let groupings, let number):
            counting?.dispose()
            // The last counts come just before the end.
            let last = Lock(ExploreCounts(groups: groupings.map { _ in RecordCounts() }, share: 1))
            counting = try source.counts(query, by: groupings).subscribe(
                next: { [inbox] counts in
                    last.withLock { $0 = counts }
                    inbox.count(counts, isWhole: false, of: number)
                },
                failed: { [inbox] failure in inbox.post(.countingFailed(failure.description, of: number)) },
                completed: { [inbox] in inbox.count(last.withLock { $0 }, isWhole: true, of: number) }
            )
        case .read(let query, let place, let goesBack, let number):
            reading[goesBack]?.dispose()
            if case .end = place { reading[!goesBack]?.dispose() }
            lastAsked = RecordTime.now.microseconds
            let limit = RecordList.page
            let read = Lock((count: 0, bytes: 0))
            // Large records come in shorter pages.
            let records = try source.records(query, from: place, goesBack: goesBack, limit: limit)
                .take(
                    until: { found in
                        read.withLock { read in
                            if found.record.kind == .event { read.count += 1 }
                            read.bytes += found.record.content.footprint
                            return read.bytes >= Self.maxPage
                        }
                    },
                    includingMatch: true
                )
            reading[goesBack] = records.subscribe(
                next: { [inbox] record in inbox.read(record, goesBack: goesBack, of: number) },
                failed: { [inbox] failure in inbox.post(.readingFailed(failure.description, of: number)) },
                completed: { [inbox] in
                    let isEnd = read.withLock { $0.count < limit && $0.bytes < Self.maxPage }
                    inbox.post(.haveRead(goesBack: goesBack, isEnd: isEnd, of: number))
                }
            )
        case .follow(let query, let place, let number):
            following?.dispose()
            following = try source.following(query, from: place, since: lastAsked).subscribe(
                next: { [inbox] record in inbox.came(record, of: number) },
                failed: { [inbox] failure in inbox.post(.readingFailed(failure.description, of: number)) }
            )
        case .stopFollowing:
            following?.dispose()
            following = nil
        case .find(let query, let record, let goesBack, let number):
            finding?.dispose()
            finding = try source.records(query, from: .record(record), goesBack: goesBack, limit: 1)
                .map(\.record)
                .filter { $0.kind == .event }
                .map { Optional($0) }
                .append(nil)
                .take(first: 1)
                .subscribe(
                    next: { [inbox] found in inbox.post(.found(found, of: number)) },
                    failed: { [inbox] failure in inbox.post(.failure(failure.description)) }
                )
        case .export(let query, let format, let file):
            if let other = written.withLock({ $0 }) {
                return perform(model.step(.failure("\(other) is still being written.")))
            }
            let gaps = Lock(0)
            let text = try source.text(query, as: format, isUTC: isUTC) { gaps.withLock { $0 += 1 } }
            guard let text else {
                return perform(model.step(.failure("These records have no format \(format.name).")))
            }
            written.withLock { $0 = file }
            exporting = ExploreExport.write(text, to: file) { [report, written] message in
                written.withLock { $0 = nil }
                let count = gaps.withLock { $0 }
                report(
                    count == 0
                        ? message
                        : "\(message); records may be missing in \(count == 1 ? "one place" : "\(count) places")"
                )
            }
        case .findNames:
            fields.schedule { [source, inbox] in inbox.post(.fieldNames(source.fieldNames())) }
        case .findValues(let field, let start):
            fields.schedule { [source, inbox] in
                inbox.post(.values(source.values(of: field, startingWith: start), startingWith: start))
            }
        case .redraw: screen.redraw()
        case .end: outcome.decide(.matched)
        }
    }
}

/// Events from other threads, for the one that draws.
final class Inbox: Sendable {
    /// Records that answer one question wait together. Those of an earlier one are not wanted any more.
    private struct Batch {
        var records: [NumberedRecord] = []
        var number = 0

        mutating func add(_ record: NumberedRecord, of number: Int) {
            // A question that was given up may answer once more.
            if number < self.number { return }
            if number > self.number { (records, self.number) = ([], number) }
            records.append(record)
        }
    }

    private struct State {
        var older = Batch()
        var newer = Batch()
        var came = Batch()
        /// How many bytes these have.
        var bytes = 0
        /// The newest are enough.
        var counts: ExploreModel.Event?
        var others: [ExploreModel.Event] = []
    }

    private let state = Lock(State())
    private let waker: Waker
    private let maxWaiting: Int

    init(waker: Waker, maxWaiting: Int) {
        self.waker = waker
        self.maxWaiting = maxWaiting
    }

    func read(_ record: NumberedRecord, goesBack: Bool, of number: Int) {
        state.withLock { state in
            if goesBack { state.older.add(record, of: number) } else { state.newer.add(record, of: number) }
        }
        waker.wake()
    }

    func came(_ record: NumberedRecord, of number: Int) {
        // One more says that there were too many.
        state.withLock { state in
            if number > state.came.number { (state.came, state.bytes) = (Batch(), 0) }
            guard number >= state.came.number, state.came.records.count <= maxWaiting,
                state.bytes <= RecordList.maxBytes
            else { return }
            state.bytes += record.record.content.footprint
            state.came.add(record, of: number)
        }
        waker.wake()
    }

    func count(_ counts: ExploreCounts, isWhole: Bool, of number: Int) {
        state.withLock { state in
            if case .counts(_, _, let newest)? = state.counts, newest > number { return }
            state.counts = .counts(counts, isWhole: isWhole, of: number)
        }
        waker.wake()
    }

    func post(_ event: ExploreModel.Event) {
        state.withLock { $0.others.append(event) }
        waker.wake()
    }

    /// All there is, what was read before the news that reading has ended.
    func take() -> [ExploreModel.Event] {
        let state = state.withLock { state in
            defer { state = State() }
            return state
        }
        var events: [ExploreModel.Event] = []
        func add(_ batch: Batch, goesBack: Bool) {
            if batch.records.isEmpty { return }
            events.append(.records(batch.records, goesBack: goesBack, of: batch.number))
        }
        add(state.older, goesBack: true)
        add(state.newer, goesBack: false)
        if state.came.records.count > maxWaiting || state.bytes > RecordList.maxBytes {
            events.append(.cameTooMany(of: state.came.number))
        } else if !state.came.records.isEmpty {
            events.append(.came(state.came.records, of: state.came.number))
        }
        if let counts = state.counts { events.append(counts) }
        return events + state.others
    }
}
