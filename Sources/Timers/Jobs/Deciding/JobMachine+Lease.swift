/// Asking for the lease, keeping and losing it.
extension JobMachine {
    /// Whether runs may begin, as far as the lease is concerned.
    var isHeld: Bool { timeToLive == nil || held != nil }

    /// Whether there is something to do that needs the lease.
    var hasWork: Bool {
        if !endings.isEmpty || !active.isEmpty { return true }
        if isStopping { return false }
        guard hasLooked, let record else { return true }
        if let times {
            if isAhead(record.done) { return true }
            if let next, times.offset.due(next) <= now.wall { return true }
        }
        return record.entries.contains { due($0) <= now.wall }
    }

    mutating func acquireIfWanted() {
        // Runs of a lease that was lost have to return first.
        guard timeToLive != nil, leaseRequest == nil, !isStopping, active.isEmpty, now.boot >= pollAt, hasWork else {
            return
        }
        let request = request(within: third)
        leaseRequest = request
        actions.append(.acquire(request: request.id))
    }

    mutating func renewIfDue() {
        guard let held, leaseRequest == nil, now.boot >= held.renewAt else { return }
        let request = request(within: third)
        leaseRequest = request
        actions.append(.renew(request: request.id, held.grant))
    }

    mutating func granted(_ id: Int, _ result: Result<JobGrant?, JobFault>) {
        guard let request = leaseRequest, request.id == id else {
            // Nobody waits for this grant any longer.
            if case .success(let grant?) = result, held?.grant != grant { actions.append(.release(grant)) }
            return
        }
        leaseRequest = nil
        pollAt = now.boot.advanced(byNanoseconds: third)
        switch result {
        case .success(let grant?) where grant.number > Int64.max:
            actions.append(.release(grant))
            reportUnreachable(JobFault("the number \(grant.number) of its grant is too high"))
        case .success(let grant):
            isLeaseUnreachable = false
            guard let grant else { return }
            if isStopping { return actions.append(.release(grant)) }
            hold(grant, from: request.sent)
        case .failure(let fault): reportUnreachable(fault)
        }
    }

    mutating func renewed(_ id: Int, _ result: Result<Bool, JobFault>) {
        guard let request = leaseRequest, request.id == id, let held else { return }
        leaseRequest = nil
        switch result {
        case .success(true):
            isLeaseUnreachable = false
            hold(held.grant, from: request.sent)
        case .success(false): loseLease()
        case .failure(let fault):
            reportUnreachable(fault)
            // Again soon: the grant runs out.
            let renewAt = now.boot.advanced(byNanoseconds: third / 3)
            self.held?.renewAt = renewAt
        }
    }

    /// The time to live counts from when the request was sent, because others count it from when it arrived.
    private mutating func hold(_ grant: JobGrant, from sent: TimerInstant) {
        let timeToLive = timeToLive ?? 0
        held = Held(
            grant: grant,
            renewAt: sent.advanced(byNanoseconds: third),
            validUntil: sent.advanced(byNanoseconds: timeToLive - timeToLive / 10)
        )
    }

    private var third: Int64 { max(1, (timeToLive ?? 0) / 3) }

    private mutating func reportUnreachable(_ fault: JobFault) {
        guard !isLeaseUnreachable else { return }
        isLeaseUnreachable = true
        tell(.leaseUnreachable(job: job, reason: fault.reason))
    }

    mutating func loseLease() {
        lost = held?.grant
        held = nil
        leaseRequest = nil
        pollAt = now.boot.advanced(byNanoseconds: third)
        forgetRecord()
        tell(.leaseLost(job: job))
        for index in active.indices { cancel(index, .other(.leaseLost)) }
    }

    /// If nobody else has taken it, it need not wait for its end, and a lease without one is free again.
    mutating func releaseLost() {
        guard active.isEmpty, let grant = lost.take() else { return }
        actions.append(.release(grant))
    }

    mutating func releaseIfIdle() {
        guard held != nil, leaseRequest == nil, storeRequest == nil, isCurrent, !hasWork else { return }
        release()
        forgetRecord()
        // It was looked at, and nothing is to be done before the next deadline.
        hasLooked = true
    }

    mutating func release() {
        guard let held else { return }
        actions.append(.release(held.grant))
        self.held = nil
        leaseRequest = nil
        pollAt = .distantPast
    }

    /// Another may change it from now on.
    mutating func forgetRecord() {
        storeRequest = nil
        decision = nil
        isCurrent = false
        hasLooked = false
    }
}
