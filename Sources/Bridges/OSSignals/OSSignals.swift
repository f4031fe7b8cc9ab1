public import Bus

extension Signals {
    /// The signals of the set as they come, from any process, with the kernel's information about their sender. Hot.
    ///
    /// ```
    /// kill -HUP   --HUP-----------
    /// kill -TERM  ---------TERM---
    /// osSignals   --HUP----TERM---
    /// ```
    ///
    /// Any number of subscriptions may listen to one signal; each hears all of it. While there is one, the signal has
    /// no other effect: neither its default action is taken nor a handler called, and it is heard although it was
    /// ignored (`nohup`). After the last subscription, everything is as it was before, and signals that were not read
    /// until then take effect: a process that dies of SIGTERM dies of it again.
    ///
    /// Block the set (``OSSignalSet/block()``) first thing in `main`. Otherwise a signal interrupts a thread that
    /// does not block it; it is handed on from there and heard all the same, but real-time signals may change places.
    /// The thread of an asynchronous `main` is such a thread, whatever it blocked: Dispatch puts it to sleep with
    /// nothing blocked.
    ///
    /// Real-time signals come each, in order, with their values; where several numbers wait, the lower come first.
    /// Standard signals that come while one of their number waits are one, which is the kernel's rule: at least one is
    /// heard of each burst, and their count is a floor (``OSSignal/mayStandForSeveral``).
    ///
    /// - Ends: never by itself.
    /// - Fails: at once, when the system refuses a descriptor or a thread, and with ``OSSignalError/taken(number:descriptor:)``
    ///   when another part of this process reads one of the signals.
    /// - Cancelling: stops listening; see above for the last subscription.
    /// - Pausing: signals wait in the subscription's own queue until the observer is ready. The process goes on reading
    ///   them, because one descriptor is read for all subscriptions.
    /// - Buffers: at most 65,536 signals a subscription, and as many being delivered. A signal beyond that is
    ///   lost, and the observer is notified at the point in the sequence where it is missing; likewise for real-time
    ///   signals that a thread could not hand on.
    /// - Thread: that of `scheduler`.
    ///
    /// - Parameters:
    ///   - set: which signals.
    ///   - scheduler: where the observer is called.
    @inlinable
    public static func osSignals(
        _ set: OSSignalSet,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<OSSignal, OSSignalError> {
        osSignals(on: scheduler, limit: 65_536) { listen(to: set.numbers, $0) }
    }

    @usableFromInline
    static func listen(to numbers: Set<CInt>, _ emitter: Emitter<OSSignal, OSSignalError>) -> (any Disposable)? {
        do throws(OSSignalError) {
            return try OSSignalHub.shared.listen(to: OSSignalSet(numbers).bits, emitter)
        } catch {
            emitter.fail(error)
            return nil
        }
    }

    /// The same for any source. Composed where the observer's type is known: elsewhere every event would look up its
    /// generic types.
    @inlinable
    static func osSignals(
        on scheduler: some Scheduler,
        limit: Int,
        _ listen: @escaping @Sendable (Emitter<OSSignal, OSSignalError>) -> (any Disposable)?
    ) -> some Signal<OSSignal, OSSignalError> {
        create(of: OSSignal.self, failure: OSSignalError.self, listen)
            // One descriptor is read for all subscriptions, so the source is not told to pause.
            .deliver(on: scheduler, limit: limit, overflow: .dropNewest)
    }
}
