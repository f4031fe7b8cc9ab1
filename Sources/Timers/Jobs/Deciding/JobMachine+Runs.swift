/// Runs that have begun: their limits, their ends.
extension JobMachine {
    mutating func cancel(_ index: Int, _ reason: Cancellation) {
        if active[index].cancellation != nil {
            switch reason {
            case .timeLimit, .other(.stopped): break
            // It is not tried again here, whatever it was cancelled for before.
            case .other: active[index].cancellation = reason
            }
            return
        }
        active[index].cancellation = reason
        active[index].limitAt = nil
        active[index].graceEndsAt = now.boot.advanced(by: policy.cancellationGrace)
        actions.append(.cancel(active[index].run.number))
    }

    mutating func cancelOverdue() {
        for index in active.indices {
            if let limit = active[index].limitAt, now.boot >= limit { cancel(index, .timeLimit) }
            if let grace = active[index].graceEndsAt, now.boot >= grace {
                active[index].graceEndsAt = nil
                tell(.unresponsive(active[index].run))
            }
        }
    }

    mutating func ended(_ number: UInt64, _ failure: String?) {
        guard let index = active.firstIndex(where: { $0.run.number == number }) else { return }
        let run = active.remove(at: index)
        switch run.cancellation {
        case nil:
            guard let failure else {
                endings[number] = .removed(.succeeded)
                return tell(.succeeded(run.run))
            }
            tell(.failed(run.run, reason: failure, retry: retry(run.run, .failed)))
        case .timeLimit: tell(.timedOut(run.run, retry: retry(run.run, .timedOut)))
        case .other(.restarted):
            endings[number] = .removed(.cancelled)
            tell(.cancelled(run.run, .restarted))
        case .other(.stopped):
            let runsAgain = runsAgain(after: run.run.attempt) && !isReplaced(run.run)
            endings[number] = runsAgain ? .again(at: now.boot, .cancelled) : .removed(.cancelled)
            tell(.cancelled(run.run, .stopped))
        case .other(let reason):
            // Its entry, if it is still there, is that of a run that was interrupted.
            tell(.cancelled(run.run, reason))
        }
    }

    /// Plans the next attempt of a run that failed.
    private mutating func retry(_ run: JobRun, _ end: JobRecord.End) -> Duration? {
        var waits = isReplaced(run) ? nil : policy.retries.map { BackoffWaits($0, failures: run.attempt - 1) }
        guard let wait = waits?.failed(after: .zero) else {
            endings[run.number] = .removed(end)
            return nil
        }
        endings[run.number] = .again(at: now.boot.advanced(byNanoseconds: wait), end)
        return .nanoseconds(wait)
    }

    /// Whether another run is to begin in its place: the next time has come, which the store may not have yet, or the
    /// one-shot was scheduled again.
    private func isReplaced(_ run: JobRun) -> Bool {
        decision?.cancels.contains(run.number) == true || record?.isReplaced(run.id) == true
    }

    /// Whether an interrupted run has another attempt.
    func runsAgain(after attempt: Int) -> Bool {
        if case .runAgain(let maxAttempts) = policy.interrupted { return attempt < maxAttempts }
        return false
    }
}
