/// The action of a watchdog when a health signal stalls.
public enum StallAction: Sendable, Hashable {
    /// It sends nothing, so that the service manager acts when the watchdog's time has passed since the last ping. If
    /// the signal recovers before that, pinging goes on as before.
    case withhold
    /// It tells the manager at once that the service is broken (`WATCHDOG=trigger`). The manager then acts as if the
    /// time had passed: by default it ends the process with SIGABRT.
    case trigger
}
