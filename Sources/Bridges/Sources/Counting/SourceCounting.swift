package import Bus
package import Records
package import Timers

/// An event of a source whose records are counted.
package enum SourceCounting: Sendable {
    /// The counts of all its records so far.
    case counts(RecordCounts)
    /// One more record.
    case record(Record)
    /// Records may be missing, for a person to read.
    case gap(String)
    /// It is another machine that cannot count its records itself, and some of them have come.
    case isRead

    /// `nil` for what has no part in a count.
    package init?(_ item: RecordItem) {
        guard case .record(let record) = item else { return nil }
        self = record.kind == .event ? .record(record) : .gap(record.message ?? "")
    }
}

/// A source whose records are counted, beside others.
package struct CountedSource: Sendable {
    package let name: String
    /// Whether it is another machine, of which only so many are asked at once, and for a limited time.
    package let isMachine: Bool
    package let counts: AnySignal<SourceCounting, SourceError>

    package init(name: String, isMachine: Bool, counts: AnySignal<SourceCounting, SourceError>) {
        self.name = name
        self.isMachine = isMachine
        self.counts = counts
    }
}

/// One event of one of several sources.
package struct CountedEvent: Sendable {
    /// The number of the source.
    package let source: Int
    package let event: Event<SourceCounting, SourceError>
}

extension Signals {
    /// How many other machines are asked at once. Each takes a child process and a thread.
    package static var maxCountedMachines: Int { 32 }

    /// Sends the events of all sources that are counted, in any order. The end of a source is an event, too; the signal itself cannot fail.
    ///
    /// Of the machines, 32 are asked at once, in their order. One that sends nothing for too long fails; where it counts itself, its
    /// counts are the first thing that it sends.
    ///
    /// - Parameters:
    ///   - limit: how long a machine may be silent.
    ///   - scheduler: measures that time.
    package static func counting(
        _ sources: [CountedSource],
        within limit: Duration,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> AnySignal<CountedEvent, Never> {
        @Sendable func events(_ index: Int) -> AnySignal<CountedEvent, Never> {
            let source = sources[index]
            let counts =
                source.isMachine
                ? source.counts.timeout(
                    limit,
                    failing: SourceError(
                        of: source.name,
                        "nothing has come for \(TimeGapLine.text(UInt64(clamping: limit.wholeMicroseconds))); see --within"
                    ),
                    on: scheduler
                ).eraseToAnySignal()
                : source.counts
            return counts.materialize().map { CountedEvent(source: index, event: $0) }.eraseToAnySignal()
        }
        let machines = sources.indices.filter { sources[$0].isMachine }
        let others = sources.indices.filter { !sources[$0].isMachine }.map(events)
        let asked = from(machines).flatMap(.merge(maxConcurrent: maxCountedMachines), events).eraseToAnySignal()
        return merge(others + [asked]).eraseToAnySignal()
    }
}
