/// What becomes of ends, times and waiting runs, once the record is the store's.
extension JobMachine {
    /// Finds out what is to be done now, and has it written.
    mutating func decide() {
        guard let record else { return }
        var decision = Decision(record: record)
        applyEndings(&decision)
        if !isStopping {
            findInterrupted(&decision)
            placeDue(&decision)
            beginWaiting(&decision)
        }
        guard decision.record != record || record.revision == 0 else {
            hasLooked = true
            endings = [:]
            return
        }
        decision.record.revision += 1
        decision.record.grant = held?.grant.number
        save(decision)
    }

    /// When a run is due.
    func due(_ entry: JobRecord.Entry) -> TimerInstant {
        entry.id == nil ? times?.offset.due(entry.time) ?? entry.time : entry.time
    }

    /// Whether the grace period is over.
    func isTooLate(_ due: TimerInstant) -> Bool {
        policy.grace.map { due < now.wall.advanced(by: .zero - $0) } ?? false
    }

    private mutating func applyEndings(_ decision: inout Decision) {
        for (number, ending) in endings {
            decision.endings.append(number)
            guard let index = decision.record.entries.firstIndex(where: { $0.number == number }) else { continue }
            var entry = decision.record.entries[index]
            switch ending {
            case .removed(let end):
                decision.record.entries.remove(at: index)
                decision.record.last = JobRecord.Last(entry: entry, end: end)
            case .again(let instant, let end):
                decision.record.last = JobRecord.Last(entry: entry, end: end)
                guard !decision.record.isReplaced(entry.id) else {
                    decision.record.entries.remove(at: index)
                    continue
                }
                entry.attempt += 1
                entry.number = nil
                retryAt[entry.key] = instant
                decision.record.entries[index] = entry
            case .unstarted:
                if decision.record.isReplaced(entry.id) {
                    decision.record.entries.remove(at: index)
                } else {
                    decision.record.entries[index].number = nil
                }
            }
        }
    }

    /// Runs whose end nobody will report.
    private mutating func findInterrupted(_ decision: inout Decision) {
        let record = decision.record
        decision.record.entries = decision.record.entries.compactMap { entry in
            guard let number = entry.number, !active.contains(where: { $0.run.number == number }) else { return entry }
            let runsAgain = runsAgain(after: entry.attempt) && !isTooLate(due(entry)) && !record.isReplaced(entry.id)
            decision.news.append(.abandoned(entry.run(job, number: number), runsAgain: runsAgain))
            decision.record.last = JobRecord.Last(entry: entry, end: .abandoned)
            guard runsAgain else { return nil }
            var entry = entry
            entry.attempt += 1
            entry.number = nil
            return entry
        }
    }

    // MARK: Times

    /// Whether the clock was wrong when a time was done.
    func isAhead(_ done: TimerInstant) -> Bool { done > now.wall.advanced(byNanoseconds: Self.clockTolerance) }

    /// Whether a run waits whose time came only because the clock was wrong.
    private func isAhead(_ entry: JobRecord.Entry) -> Bool {
        entry.id == nil && entry.number == nil && isAhead(due(entry))
    }

    private mutating func placeDue(_ decision: inout Decision) {
        guard let times else { return }
        // Their times may never come, and until then they would keep the true times from running.
        for entry in decision.record.entries where isAhead(entry) { skip(entry, .missed, &decision) }
        decision.record.entries.removeAll(where: isAhead)
        if isAhead(decision.record.done) {
            decision.record.done = times.offset.boundary(at: now.wall)
        } else if next.map({ times.offset.due($0) > now.wall }) ?? true {
            return
        }
        if policy.missed == .skip { leaveOut(by: began, .missed, &decision) }
        if let grace = policy.grace {
            leaveOut(by: now.wall.advanced(by: .zero - grace).advanced(byNanoseconds: -1), .late, &decision)
        }
        while let first = times.firstDue(after: decision.record.done, by: now.wall) {
            var chosen = first
            if policy.missed == .runAll {
                // It came before the run that it would wait for: it waits where it is.
                if decision.record.entries.count >= policy.slots, times.offset.due(first) <= lastPlaced { return }
            } else {
                chosen = times.offset.lastDue(from: first, at: now.wall)
                let passed = times.schedule.count(from: first, to: chosen)
                if passed > 0 { skip(first, passed, .missed, &decision) }
            }
            decision.record.done = chosen
            place(chosen, &decision)
        }
    }

    private mutating func leaveOut(by limit: TimerInstant, _ reason: JobSkip.Reason, _ decision: inout Decision) {
        guard let times, let first = times.firstDue(after: decision.record.done, by: limit) else { return }
        let last = times.offset.lastDue(from: first, at: limit)
        skip(first, min(times.schedule.count(from: first, to: last) + 1, Self.countLimit), reason, &decision)
        decision.record.done = last
    }

    private func skip(_ first: TimerInstant, _ count: Int, _ reason: JobSkip.Reason, _ decision: inout Decision) {
        decision.record.missed = min(decision.record.missed + count, Self.countLimit)
        decision.news.append(.skipped(JobSkip(job: job, id: nil, first: first, count: count, reason: reason)))
    }

    /// Skips a run that waits. The next run counts its missed times, unless an attempt was told of them.
    private func skip(_ entry: JobRecord.Entry, _ reason: JobSkip.Reason, _ decision: inout Decision) {
        decision.news.append(.skipped(JobSkip(job: job, id: entry.id, first: entry.time, count: 1, reason: reason)))
        guard entry.id == nil else { return }
        let missed = 1 + (entry.attempt == 1 ? entry.missed : 0)
        decision.record.missed = min(decision.record.missed + missed, Self.countLimit)
    }

    /// Finds a place for a time among the runs that have not ended.
    private mutating func place(_ time: TimerInstant, _ decision: inout Decision) {
        let entries = decision.record.entries
        // The clock was set back, and the run of the same time is still there.
        let isThere = entries.contains { $0.time == time }
        let max =
            if case .queue(let max) = policy.overlapping { min(Swift.max(0, max), JobRecord.maxEntries - 1) + 1 } else {
                policy.slots
            }
        if !isThere, policy.overlapping == .restart {
            decision.cancels += entries.compactMap(\.number)
            for entry in entries where entry.number == nil { skip(entry, .overlapping, &decision) }
            decision.record.entries.removeAll { $0.number == nil }
        } else if isThere || entries.count >= max {
            skip(time, 1, .overlapping, &decision)
            // The later times find no place either. A clock set far ahead makes billions of them due.
            if !isThere { leaveOut(by: now.wall, .overlapping, &decision) }
            return
        }
        decision.record.entries.append(JobRecord.Entry(time: time, missed: decision.record.missed))
        decision.record.missed = 0
        lastPlaced = now.wall
    }

    // MARK: Beginning

    private mutating func beginWaiting(_ decision: inout Decision) {
        // A run that was cancelled counts until it returns, also when it has no entry any more.
        let runs = active.map(\.run)
        let begun = decision.record.entries.filter { $0.number != nil }
        var running = Set(runs.map(\.number) + begun.compactMap(\.number)).count
        var ids = Set(runs.compactMap(\.id) + begun.compactMap(\.id))
        var kept: [JobRecord.Entry] = []
        var isBlocked = false
        for var entry in decision.record.entries {
            if entry.number == nil, !isBlocked, due(entry) <= now.wall {
                let retry = retryAt[entry.key]
                if retry == nil, let reason = reasonToSkip(entry) {
                    skip(entry, reason, &decision)
                    continue
                }
                // A one-shot that was scheduled again waits for the run that has its id.
                if running < policy.slots, retry ?? .distantPast <= now.boot, entry.id.map(ids.contains) != true {
                    let number = max(decision.record.number + 1, held?.grant.number ?? 0)
                    decision.record.number = number
                    entry.number = number
                    decision.starts.append(entry.run(job, number: number))
                    running += 1
                    if let id = entry.id { ids.insert(id) }
                } else if policy.slots == 1, entry.id == nil {
                    // Runs keep their order. One-shots do not wait for another's retry.
                    isBlocked = true
                }
            }
            kept.append(entry)
        }
        decision.record.entries = kept
    }

    /// Why a run that waits does not begin any more.
    private func reasonToSkip(_ entry: JobRecord.Entry) -> JobSkip.Reason? {
        if isTooLate(due(entry)) { return .late }
        return entry.id != nil && policy.missed == .skip && entry.time <= began ? .missed : nil
    }
}
