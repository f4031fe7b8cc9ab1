import Glibc

/// The one time limit: that of the whole run. No test has a limit of its own, because the time a test takes depends on how
/// busy the machine is.
///
/// `Scripts/test.sh` sets `BUSCTL_RX_RUN_ENDS` and ends the run a minute after that. A test that waits for another process
/// asks ``isOver`` while it waits, so that a run that hangs reports what it waits for. Without the variable there is no limit.
package enum RunLimit {
    /// Seconds since 1970.
    private static let end = getenv("BUSCTL_RX_RUN_ENDS").flatMap { Int(String(cString: $0)) }

    package static var isOver: Bool { end.map { time(nil) > $0 } ?? false }
}
