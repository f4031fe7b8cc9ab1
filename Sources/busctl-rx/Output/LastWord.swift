import Bus
import Timers

/// Ends the process while its output waits for a reader.
enum LastWord {
    /// How long writing to standard error may take. It is often the same terminal, which may be stopped.
    private static let patience = Duration.milliseconds(100)

    /// Ends the process at once when everything is written. Otherwise it first reports how much is missing, on a
    /// thread of its own, for at most `patience`. Blocks no thread.
    static func end(_ status: ExitStatus, unwritten: Int) {
        guard unwritten > 0 else { status.end() }
        TimerScheduler.shared.schedule(after: patience) { status.end() }
        ThreadScheduler(name: "busctl-last-word").schedule {
            StandardError.report("standard output is not being read: at least \(unwritten) bytes were not written")
            status.end()
        }
    }
}
