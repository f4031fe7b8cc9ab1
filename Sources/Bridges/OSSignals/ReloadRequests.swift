public import Bus
public import Glibc

extension Signals {
    /// SIGHUP, which tells a daemon to read its configuration again. Hot.
    ///
    /// ```
    /// kill -HUP       --HUP-HUP-HUP--------HUP--
    /// observer        --[reloads---][reloads]--[reloads]
    /// reloadRequests  --HUP--------HUP---------HUP------
    /// ```
    ///
    /// While the observer reloads, one more request waits and the rest are dropped (`lost` counts them): after the last
    /// SIGHUP there is always a reload that began later than it came, and never more than needed for that.
    ///
    /// - Ends: never by itself.
    /// - Fails: as ``osSignals(_:on:)`` does, and when `number` cannot be listened to.
    /// - Cancelling: stops listening; with the last subscription, SIGHUP has its previous effect again.
    /// - Buffers: one signal, and one being delivered.
    /// - Thread: that of `scheduler`.
    ///
    /// - Parameters:
    ///   - number: which signal asks for it.
    ///   - scheduler: where the observer is called.
    public static func reloadRequests(
        by number: CInt = SIGHUP,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<OSSignal, OSSignalError> {
        osSignals(on: scheduler, limit: 1) { listen(to: [number], $0) }
    }
}
