public import Bus
public import Dispatch

extension Signals {
    /// The result of a piece of work, run once on a queue for every subscription. Cold.
    ///
    /// ```
    /// queue        ---(work)--
    /// dispatchWork ---------1|
    /// ```
    ///
    /// A closure literal throws `any Error` unless it says otherwise (`{ () throws(ParseError) in … }`).
    ///
    /// - Ends: after the value.
    /// - Fails: with the work's error.
    /// - Cancelling: work that has not begun never does, and its captures are released at once; Dispatch keeps an
    ///   empty item in the queue until its time comes. Work that has begun runs to its end, unheard.
    /// - Thread: on `queue`.
    ///
    /// - Parameters:
    ///   - queue: where it runs.
    ///   - qos: its quality of service; the queue's by default.
    ///   - flags: of the item, such as `.barrier`.
    ///   - body: the work. It is not run when no value is wanted.
    public static func dispatchWork<Value: Sendable, Failure: Error>(
        on queue: DispatchQueue,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) -> some Signal<Value, Failure> {
        // The flags themselves are not declared Sendable.
        let flagBits = flags.rawValue
        return create(of: Value.self, failure: Failure.self) { emitter in
            guard emitter.demand != .stop else { return nil }
            let flags = DispatchWorkItemFlags(rawValue: flagBits)
            let work = PendingWork {
                do throws(Failure) {
                    emitter.send(try body())
                    emitter.complete()
                } catch {
                    emitter.fail(error)
                }
            }
            queue.async(execute: DispatchWorkItem(qos: qos, flags: flags) { work.run() })
            return ActionDisposable { work.cancel() }
        }
        .named("dispatchWork")
    }
}

/// Work that is run once or cancelled.
private final class PendingWork: Sendable {
    private let body: Lock<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Lock(body)
    }

    private func take() -> (@Sendable () -> Void)? {
        body.withLock { body -> (@Sendable () -> Void)? in body.take() }
    }

    func run() { take()?() }

    func cancel() { _ = take() }
}

extension DispatchWorkItem {
    /// One value and completion when a work item of yours has run, or was skipped because it was cancelled: its
    /// `isCancelled` tells which. Cold. You can cancel the item; ending the subscription does not.
    ///
    /// ```
    /// item           ---(runs)
    /// finished(on:)  ---------()|
    /// ```
    ///
    /// - Ends: after the value.
    /// - Fails: never.
    /// - Cancelling: frees the chain below. Dispatch cannot remove a notification: some 300 bytes of it stay until
    ///   the item is done.
    /// - Thread: on `queue`.
    public func finished(on queue: DispatchQueue) -> some Signal<Void, Never> {
        let item = WorkItem(item: self)
        return Signals.create(of: Void.self) { emitter in
            guard emitter.demand != .stop else { return nil }
            item.item.notify(queue: queue) {
                emitter.send(())
                emitter.complete()
            }
            return nil
        }
        .named("workItem")
    }
}

private struct WorkItem: @unchecked Sendable {
    // Only `notify` is called, which Dispatch lets any thread do.
    let item: DispatchWorkItem
}
