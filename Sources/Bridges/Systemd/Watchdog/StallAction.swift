/// What a watchdog does when a health signal stalls.
public enum StallAction: Sendable, Hashable {
    /// It says nothing, so that the service manager acts when the watchdog's time has passed since the last ping. What
    /// recovers before that goes on as if nothing had been.
    case withhold
    /// It tells the manager at once that the service is broken (`WATCHDOG=trigger`), which then does what it does when the
    /// time has passed: ends the process with SIGABRT, unless told otherwise.
    case trigger
}
