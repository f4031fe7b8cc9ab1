public import Bus
import DescriptorBridge
import SystemPackage

extension Signals {
    /// A child process: that it runs, the lines it writes, how it ends. Cold: every subscription starts one.
    ///
    /// ```
    /// child --------write "a"---write "b"---exit(0)
    /// run   started-output(a)---errors(b)---ended(0)|
    /// ```
    ///
    /// An exit code other than 0 is no failure; `ended` reports it. The exit decides the end. Output that is in the
    /// pipes at that moment is heard first; later output of a grandchild that has inherited them is not heard, and
    /// nothing waits for it.
    ///
    /// A slow observer slows the child: while it pauses, or has not returned, nothing is read, and the child waits
    /// when its pipe is full. Nor is its input written then. Its exit is noticed all the same, and its status taken;
    /// the exit is heard after the output in the pipes.
    ///
    /// - Ends: after `ended`.
    /// - Fails: when it cannot be started, watched or read. A child that runs then is ended as by cancelling.
    /// - Cancelling: sends `SIGTERM` to the child, to its whole group when it has its own, and `SIGKILL` after
    ///   ``ChildProcess/grace``; the rest of the group is killed when the child has ended. It does not wait for that:
    ///   the child's status is taken whenever it comes, so no zombie stays. See ``ChildProcess/ending``.
    /// - Pausing: stops reading the child's output until the observer is ready.
    /// - Buffers: an unfinished line of each stream, at most ``ChildProcess/lineLimit`` bytes; when the observer
    ///   pauses, the rest of one read of each stream, at most 65,536 bytes.
    /// - Thread: `started` is heard on the subscriber's, during `subscribe`; everything else on `scheduler`.
    ///
    /// - Parameters:
    ///   - child: the child to start.
    ///   - scheduler: where it is heard. An observer that takes long is better given a scheduler of its own than the
    ///     shared one.
    public static func run(
        _ child: ChildProcess,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<ChildEvent, ProcessError> {
        using(
            attempting: { () throws(ProcessError) in try RunningChild.start(child) },
            release: { $0.release() },
            { running in events(of: running, child, on: scheduler) }
        )
        .named("run(\(child.executable))")
    }

    private static func events(
        of running: RunningChild,
        _ child: ChildProcess,
        on scheduler: some Scheduler
    ) -> some Signal<ChildEvent, ProcessError> {
        var streams: [AnySignal<ChildEvent, ProcessError>] = []
        if let output = running.streams.takeOutput() {
            streams.append(lines(of: output, "the output", running, child, on: scheduler) { .output($0) })
        }
        if let errors = running.streams.takeErrors() {
            streams.append(lines(of: errors, "the error output", running, child, on: scheduler) { .errors($0) })
        }
        if case .signal(let values) = child.input, let input = running.streams.takeInput() {
            streams.append(feeding(values, into: input, running, child, on: scheduler))
        }
        let ended = running.exit
            .deliver(on: scheduler, limit: 1, overflow: .dropNewest)
            .attemptMap { result throws(ProcessError) in ChildEvent.ended(try result.get()) }
        return Signals.just(.started(pid: running.pid), failure: ProcessError.self)
            .concat(Signals.merge(streams))
            .concat(ended)
    }

    private static func lines(
        of descriptor: OwnedDescriptor,
        _ name: String,
        _ running: RunningChild,
        _ child: ChildProcess,
        on scheduler: some Scheduler,
        _ event: @escaping @Sendable (String) -> ChildEvent
    ) -> AnySignal<ChildEvent, ProcessError> {
        bytes(
            owned: descriptor,
            name: "\(name) of \(child.executable)",
            on: scheduler,
            started: { running.add($0) }
        )
        .lines(lineLimit: child.lineLimit)
        .map(event)
        .mapError { ProcessError($0) }
        .eraseToAnySignal()
    }

    /// Says nothing; completes when all is written, the child has closed its input, or it has ended.
    private static func feeding(
        _ values: AnySignal<[UInt8], Never>,
        into descriptor: OwnedDescriptor,
        _ running: RunningChild,
        _ child: ChildProcess,
        on scheduler: some Scheduler
    ) -> AnySignal<ChildEvent, ProcessError> {
        // Closed at the end, so that the child finds it.
        values.promoteFailure(to: DescriptorError.self)
            .write(owned: descriptor, name: "the input of \(child.executable)", on: scheduler)
            .take(until: running.exit.deliver(on: scheduler, limit: 1, overflow: .dropNewest))
            .catch { error in
                error.errno == .brokenPipe
                    ? Signals.empty(Int.self, failure: DescriptorError.self).eraseToAnySignal()
                    : Signals.fail(error, of: Int.self).eraseToAnySignal()
            }
            .ignoreValues(as: ChildEvent.self)
            .mapError { ProcessError($0) }
            .eraseToAnySignal()
    }
}
