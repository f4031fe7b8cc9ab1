/// Reading and writing the record.
extension JobMachine {
    mutating func load() {
        let request = request(within: Self.storeTimeout)
        storeRequest = request
        actions.append(.load(request: request.id))
    }

    mutating func save(_ decision: Decision) {
        let request = request(within: Self.storeTimeout)
        storeRequest = request
        self.decision = decision
        actions.append(.save(request: request.id, decision.record))
    }

    mutating func loaded(_ id: Int, _ result: Result<JobRecord?, JobFault>) {
        guard storeRequest?.id == id else { return }
        switch result {
        case .failure(let fault): storeFailed(fault)
        case .success(let stored):
            storeRequest = nil
            // What is known here is the best that there is, if the store has nothing.
            var found = stored ?? record ?? JobRecord(done: times?.offset.boundary(at: began) ?? began, at: now.wall)
            if stored == nil { found.revision = 0 }
            // The file was lost, and a one-shot has begun another.
            found.number = max(found.number, record?.number ?? 0)
            isCurrent = true
            // The answer to writing it was lost.
            if let decision, decision.record == stored { return commit(decision) }
            // Perhaps it was taken, and one-shots were scheduled or cancelled since, which is written without a grant.
            // Runs that it says have begun have not. Those of another holder of the lease may have.
            for run in decision?.starts ?? [] where found.grant == nil { endings[run.number] = .unstarted }
            decision = nil
            storeWorks()
            adopt(found)
        }
    }

    mutating func saved(_ id: Int, _ result: Result<Bool, JobFault>) {
        guard storeRequest?.id == id else { return }
        switch result {
        case .failure(let fault): storeFailed(fault)
        case .success(false):
            storeRequest = nil
            decision = nil
            isCurrent = false
        case .success(true):
            storeRequest = nil
            if let decision { commit(decision) }
        }
    }

    mutating func storeFailed(_ fault: JobFault) {
        storeRequest = nil
        isCurrent = false
        if storeFault != fault.reason {
            storeFault = fault.reason
            tell(.storeFailed(job: job, reason: fault.reason))
        }
        storeFailures = min(storeFailures + 1, 6)
        storeRetryAt = now.boot.advanced(byNanoseconds: min(500_000_000 << Int64(storeFailures), 30_000_000_000))
        // Another instance may reach the store.
        if storeFailures > 3, held != nil, active.isEmpty, endings.isEmpty {
            release()
            forgetRecord()
            pollAt = storeRetryAt
        }
    }

    private mutating func storeWorks() {
        storeFailures = 0
        storeFault = nil
    }

    /// A record that was found in the store.
    private mutating func adopt(_ found: JobRecord) {
        record = found
        let running = Set(found.entries.compactMap(\.number))
        // Those that are missing were taken over by another instance, or withdrawn.
        for index in active.indices where !running.contains(active[index].run.number) {
            cancel(index, .other(active[index].run.id == nil ? .leaseLost : .withdrawn))
        }
        endings = endings.filter { running.contains($0.key) }
        let keys = Set(found.entries.map(\.key))
        retryAt = retryAt.filter { keys.contains($0.key) }
    }

    /// The store has taken what was decided.
    private mutating func commit(_ decision: Decision) {
        self.decision = nil
        storeWorks()
        record = decision.record
        hasLooked = true
        for number in decision.endings { endings[number] = nil }
        let keys = Set(decision.record.entries.map(\.key))
        retryAt = retryAt.filter { keys.contains($0.key) }
        for event in decision.news { tell(event) }
        for number in decision.cancels {
            if let index = active.firstIndex(where: { $0.run.number == number }) { cancel(index, .other(.restarted)) }
        }
        for run in decision.starts { start(run) }
    }

    private mutating func start(_ run: JobRun) {
        // Too late to begin: whoever holds the lease next finds the run as one that was interrupted.
        if let held, now.boot >= held.validUntil { return }
        let entry = record?.entries.first { $0.number == run.number }
        // The clock may have been set, or the machine suspended, while the store wrote.
        guard let entry, !isStopping, due(entry) <= now.wall, retryAt[entry.key] != nil || !isTooLate(due(entry)) else {
            endings[run.number] = .unstarted
            return
        }
        active.append(Active(run: run, limitAt: policy.timeLimit.map { now.boot.advanced(by: $0) }))
        tell(.started(run))
        actions.append(.start(run))
    }
}
