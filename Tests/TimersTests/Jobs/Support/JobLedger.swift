@testable import Timers

/// The reference for a job's histories: what has to become of each time, told from the list of times, the policy and what
/// was done, without knowing how it was decided.
struct JobLedger {
    struct Key: Hashable {
        var id: String?
        var time: TimerInstant
    }

    private struct Attempt: Hashable {
        var key: Key
        var attempt: Int
    }

    let policy: JobPolicy
    /// The calendar's times around the history, in order.
    let times: [TimerInstant]
    /// What should not have happened.
    var violations: [String] = []
    /// The time at which the first record was made.
    private(set) var began: TimerInstant?
    /// How often a time has ended in the store: its run has, or it was left out.
    private var ends: [Key: Int] = [:]
    private var placed: Set<Key> = []
    private var given: Set<UInt64> = []
    private var begun: Set<UInt64> = []
    private var attempts: Set<Attempt> = []
    /// One-shots that were scheduled again and so have a second life.
    private var renewed: Set<Key> = []
    private var last: [(event: JobEvent, time: Int64)] = []
    private var starts: [(run: JobRun, time: Int64)] = []

    init(_ schedule: CalendarSchedule?, _ policy: JobPolicy, around start: Int64) {
        self.policy = policy
        let (first, last) = (start - 11_000 * JobWorld.second, start + 30_000 * JobWorld.second)
        times =
            schedule.map {
                Array($0.occurrences(after: TimerInstant(nanoseconds: first)).prefix { $0.nanoseconds < last })
            } ?? []
    }

    // MARK: What is done

    mutating func told(_ event: JobEvent, at time: Int64) { last.append((event, time)) }

    mutating func started(_ run: JobRun, wall: TimerInstant, at time: Int64) {
        if run.time > wall { violations.append("\(run) begins early") }
        if !given.contains(run.number) { violations.append("\(run) begins without a record") }
        if !begun.insert(run.number).inserted { violations.append("\(run) begins twice with one number") }
        let key = Key(id: run.id, time: run.time)
        if !attempts.insert(Attempt(key: key, attempt: run.attempt)).inserted, !renewed.contains(key) {
            violations.append("\(run) begins twice")
        }
        if run.attempt > maxAttempts { violations.append("\(run) is one attempt too many") }
        if let grace = policy.grace, run.attempt == 1 {
            if wall > run.time.advanced(by: grace) { violations.append("\(run) begins after the grace period") }
        }
        starts.append((run, time))
    }

    private var maxAttempts: Int {
        var max = policy.retries.flatMap(\.limit).map { $0 + 1 } ?? 1
        if case .runAgain(let attempts) = policy.interrupted { max = Swift.max(max, attempts) }
        return max
    }

    /// A one-shot takes the place of the one that waits.
    mutating func scheduled(_ key: Key, over entries: [JobRecord.Entry]) {
        for entry in entries where entry.id == key.id && entry.number == nil { end(Key(entry)) }
        if !placed.insert(key).inserted { renewed.insert(key) }
    }

    mutating func withdrew(_ id: String, _ entries: [JobRecord.Entry]) {
        for entry in entries where entry.id == id { end(Key(entry)) }
    }

    /// An instance has written a record.
    mutating func wrote(_ after: JobRecord, over before: JobRecord?, decided: TimerInstant) {
        for entry in after.entries {
            guard let number = entry.number, before?.entries.contains(where: { $0.number == number }) != true else {
                continue
            }
            if number <= before?.number ?? 0 { violations.append("the number of \(entry) is not higher") }
            if !given.insert(number).inserted { violations.append("the number of \(entry) is given out again") }
            if entry.time > decided { violations.append("\(entry) is early") }
        }
        guard let before else {
            began = after.done
            return
        }
        if after.number < before.number { violations.append("the number of the record falls") }
        let (old, new) = (Set(before.entries.map(Key.init)), Set(after.entries.map(Key.init)))
        for key in old.subtracting(new) { end(key) }
        if after.done < before.done { violations.append("\(before.done) is not done any more") }
        let due = times.filter { before.done < $0 && $0 <= after.done }
        if let last = due.last, last > decided { violations.append("\(last) has not come") }
        for time in due where !new.contains(Key(id: nil, time: time)) { end(Key(id: nil, time: time)) }
        let came = Set(due.map { Key(id: nil, time: $0) })
        for key in new.subtracting(old) {
            if !came.contains(key) || !placed.insert(key).inserted { violations.append("\(key) comes from nowhere") }
        }
        checkMissed(new.subtracting(old).map(\.time).sorted(), before, after, decided)
    }

    private mutating func end(_ key: Key) { ends[key, default: 0] += 1 }

    /// Of several times that have come, the last or the first within the grace period runs.
    private mutating func checkMissed(
        _ new: [TimerInstant],
        _ before: JobRecord,
        _ after: JobRecord,
        _ decided: TimerInstant
    ) {
        guard after.done > before.done else { return }
        let due = times.filter { time in
            time > before.done && time <= decided
                && policy.grace.map { time >= decided.advanced(by: .zero - $0) } ?? true
        }
        if !new.allSatisfy(due.contains) { violations.append("\(new) are placed, and \(due) are due") }
        // Where nothing is in the way, and no program was just begun.
        guard before.entries.isEmpty, policy.missed != .skip, policy.slots == 1 else { return }
        let expected = policy.missed == .runAll ? due.first : due.last
        if new.first != expected { violations.append("\(new) are placed, and should be \(expected as Any) of \(due)") }
    }

    // MARK: The end

    /// Looks at the whole. Times up to `sure` have passed on every clock, long enough to be decided and run.
    mutating func close(_ stored: JobRecord?, sure: TimerInstant, isQuiet: Bool) {
        guard let stored else { return violations.append("there is no record") }
        for entry in stored.entries where entry.time < sure { violations.append("\(entry) is left") }
        let waiting = Set(stored.entries.map(Key.init))
        for key in placed.union(ends.keys) where !renewed.contains(key) {
            let count = ends[key] ?? 0
            if count > 1 || count == 0 && key.time < sure && !waiting.contains(key) {
                violations.append("\(key) has ended \(count) times")
            }
        }
        guard let began else { return }
        for time in times where time > began && time < sure && ends[Key(id: nil, time: time)] == nil {
            violations.append("\(time) has not ended")
        }
        if isQuiet { checkQuiet(from: began, to: sure) }
    }

    /// Where nothing went wrong, each time has one end that was told, and begins when nothing is in the way.
    private mutating func checkQuiet(from began: TimerInstant, to sure: TimerInstant) {
        for time in times where time > began && time < sure {
            let told = last.filter { Self.isEnd($0.event, of: time) }
            if told.count != 1 { violations.append("\(time) has the ends \(told)") }
            guard policy.overlapping == .skip else { continue }
            let isBlocked = starts.contains { run, began in
                run.attempt == 1 && run.time < time
                    && !last.contains { $0.time <= time.nanoseconds && Self.isEnd($0.event, of: run.time) }
                    && began < time.nanoseconds
            }
            let start = starts.first { $0.run.time == time && $0.run.attempt == 1 }
            if isBlocked != (start == nil) { violations.append("\(time) begins at \(start as Any)") }
            if let start, start.time != time.nanoseconds { violations.append("\(time) begins late") }
        }
    }

    private static func isEnd(_ event: JobEvent, of time: TimerInstant) -> Bool {
        switch event {
        case .succeeded(let run), .failed(let run, _, nil), .timedOut(let run, nil), .cancelled(let run, _),
            .abandoned(let run, false):
            run.time == time
        case .skipped(let skip): skip.first == time && skip.count == 1
        default: false
        }
    }
}

extension JobLedger.Key {
    init(_ entry: JobRecord.Entry) { self.init(id: entry.id, time: entry.time) }
}
