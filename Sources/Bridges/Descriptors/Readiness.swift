public import Bus
import CLinux
import Loop
public import SystemPackage

/// The events that a descriptor is ready for.
public struct Readiness: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Reading does not wait; at the end of the file it returns zero.
    public static let readable = Readiness(rawValue: CLINUX_READABLE)
    /// Writing something does not wait.
    public static let writable = Readiness(rawValue: CLINUX_WRITABLE)
    /// Out-of-band data, or other exceptional conditions of the kind of file.
    public static let urgent = Readiness(rawValue: CLINUX_URGENT)
    /// The other end is gone, or the file has an error. Told whether or not it was asked for.
    public static let hangup = Readiness(rawValue: CLINUX_HANGUP)
}

extension Signals {
    /// The readiness of a descriptor, for programs that read or write it themselves. Cold.
    ///
    /// ```
    /// writer    --abc-------de----close
    /// observer    read 3    read 2
    /// readiness --r---------r-----(h|)
    /// ```
    ///
    /// The observer reads or writes inside the callback: after it has returned, a descriptor that is still ready is
    /// reported again, at once and as often as necessary.
    ///
    /// The descriptor stays the caller's; a duplicate is watched, so that several subscriptions may watch it and it
    /// may be closed meanwhile.
    ///
    /// - Ends: when the other end is gone and no requested readiness is left. A socket at its end stays readable; a
    ///   reader of the end disposes of the subscription.
    /// - Fails: when the system has no descriptor or watch to give, or cannot watch this kind of file: a regular file is
    ///   always ready.
    /// - Cancelling: closes the duplicate.
    /// - Pausing: stops watching the descriptor until the observer is ready.
    /// - Thread: `scheduler`'s.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor to watch; open when subscribed to.
    ///   - interest: the events to watch for.
    ///   - scheduler: where it is heard.
    public static func readiness(
        of descriptor: FileDescriptor,
        for interest: Readiness,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<Readiness, DescriptorError> {
        create(of: Readiness.self, failure: DescriptorError.self) { emitter in
            do throws(DescriptorError) {
                let copy = try OwnedDescriptor.duplicate(of: descriptor.rawValue)
                return try ReadinessWatch.start(copy, interest, on: scheduler, emitter)
            } catch {
                emitter.fail(error)
                return nil
            }
        }
        .named("readiness(\(descriptor.rawValue))")
    }
}

private enum ReadinessWatch {
    static func start(
        _ descriptor: OwnedDescriptor,
        _ interest: Readiness,
        on scheduler: any Scheduler,
        _ emitter: Emitter<Readiness, DescriptorError>
    ) throws(DescriptorError) -> any Disposable {
        // Added and removed: a file that is always ready is refused here, and not reported for ever.
        do throws(EventLoopError) {
            try EventLoop.shared.watch(descriptor.number, for: []) { _ in }.dispose()
        } catch {
            throw DescriptorError(error)
        }
        let step = Step()
        let pump = DescriptorPump(
            descriptor,
            for: ReadyEvents(rawValue: interest.rawValue).subtracting(.hangup),
            on: scheduler,
            step: { pump, events in
                guard step.tells() else { return .wait }
                let found = Readiness(rawValue: events.rawValue)
                let demand = emitter.send(found)
                guard demand != .stop else { return .over }
                if found == .hangup {
                    emitter.complete()
                    return .over
                }
                guard demand == .pause else { return .again }
                let resting = pump.rest { emitter.whenReady($0) }
                if resting == .over { emitter.complete() }
                return resting
            },
            failed: { emitter.fail($0) }
        )
        try pump.start()
        return pump
    }

    /// Every second step only waits: a descriptor is reported when it was found ready after the last report.
    private final class Step: @unchecked Sendable {
        // Touched only in a step.
        private var value = false

        func tells() -> Bool {
            value.toggle()
            return value
        }
    }
}
