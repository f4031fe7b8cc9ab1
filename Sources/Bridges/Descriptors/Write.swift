public import Bus
public import SystemPackage

extension Signal where Value == [UInt8], Failure == DescriptorError {
    /// Writes each value into a descriptor, and sends its number of bytes when all of it is written.
    ///
    /// ```
    /// self      --abc--de--|
    /// write(to) --3----2---|
    /// ```
    ///
    /// Pipes, sockets, terminals, devices and regular files. Values wait until the descriptor takes them; a value is
    /// written whole before the next one is begun. When `limit` values wait, the source is told to pause, and to go
    /// on when half of them are written. No thread of a scheduler is blocked, also when a terminal is stopped. If a
    /// source cannot pause and sends more, the writing fails with `ENOBUFS`: bytes missing in the middle of a stream
    /// would spoil the rest.
    ///
    /// The descriptor stays the caller's, who may close it as soon as the subscription is made: a duplicate is
    /// written. The duplicate is closed with the subscription, so that a reader then finds the end. If nobody reads,
    /// the error is `EPIPE`, and the signal `SIGPIPE` is never raised, whatever its action in the process.
    ///
    /// - Ends: with the source, when all is written.
    /// - Fails: with the source; when the system refuses to write. Then it is not known how much of a value was
    ///   written.
    /// - Cancelling: stops after the part of a value that is written; closes the duplicate. Does not wait for a call that blocks
    ///   on a thread of its own, as another user's terminal needs; that call may write up to 4,096 bytes more.
    /// - Pausing: nothing is written while the observer pauses, so that the source is told to pause when `limit` values
    ///   wait.
    /// - Buffers: at most `limit` values.
    /// - Thread: `scheduler`'s, which also writes. A regular file waits for the disk there.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor to write; open when subscribed to.
    ///   - limit: how many values may wait.
    ///   - scheduler: where it is written and heard.
    public func write(
        to descriptor: FileDescriptor,
        limit: Int = 1024,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<Int, DescriptorError> {
        WriteSignal(
            upstream: self,
            open: { () throws(DescriptorError) in try .duplicate(of: descriptor.rawValue) },
            name: "descriptor \(descriptor.rawValue)",
            limit: limit,
            scheduler: scheduler
        )
    }

    /// The same into a descriptor that is this package's own, and is closed at the end.
    package func write(
        owned descriptor: OwnedDescriptor,
        name: String,
        on scheduler: any Scheduler
    ) -> some Signal<Int, DescriptorError> {
        WriteSignal(upstream: self, open: { descriptor }, name: name, limit: 1024, scheduler: scheduler)
    }
}

extension Signal where Value == [UInt8], Failure == Never {
    /// Writes each value into a descriptor. See the same of a signal that may fail.
    public func write(
        to descriptor: FileDescriptor,
        limit: Int = 1024,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<Int, DescriptorError> {
        promoteFailure(to: DescriptorError.self).write(to: descriptor, limit: limit, on: scheduler)
    }
}

private struct WriteSignal<Upstream: Signal>: Signal
where Upstream.Value == [UInt8], Upstream.Failure == DescriptorError {
    typealias Value = Int
    typealias Failure = DescriptorError

    let upstream: Upstream
    let open: @Sendable () throws(DescriptorError) -> OwnedDescriptor
    let name: String
    let limit: Int
    let scheduler: any Scheduler

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let output = SerialObserver(observer)
        do throws(DescriptorError) {
            let writing = try WriteSubscription(output, open(), name: name, limit: limit, on: scheduler)
            output.resources.add(ActionDisposable { writing.close() })
            output.resources.add(upstream.subscribe(WriteObserver(subscription: writing)))
        } catch {
            output.terminate(.failed(error))
        }
        return output.handle
    }

    static var chain: Chain { Upstream.chain.appending("write") }
    var chain: Chain { upstream.chain.appending("write(\(name))") }
}

/// The upstream's way in. When it is dropped without an end, nothing can come any more.
private struct WriteObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == Int, Downstream.Failure == DescriptorError {
    typealias Value = [UInt8]
    typealias Failure = DescriptorError

    let subscription: WriteSubscription<Downstream>

    deinit {
        subscription.end(nil)
    }

    mutating func next(_ bytes: [UInt8]) -> Demand { subscription.next(bytes) }

    mutating func lost(_ count: Int) { subscription.output.lost(count) }

    consuming func terminate(_ termination: Termination<DescriptorError>) { subscription.end(termination) }

    var demand: Demand { subscription.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { subscription.whenReady(resume) }
}
