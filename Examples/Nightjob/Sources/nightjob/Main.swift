import Bus
import Glibc
import NATSBridge
import OSSignalBridge
import Timers

/// A job that runs once for each of a calendar's times, on one of several machines.
@main
enum Main {
    private static let usage = """
        usage: nightjob CALENDAR OUTCOMES PLACE [once|again] [SECONDS]
        PLACE is a folder, or nats://HOST:PORT/BUCKET
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let interruptions: [String: InterruptedRuns] = ["once": .abandon, "again": .runAgain(maxAttempts: 1000)]
        guard (3...5).contains(arguments.count),
            let interrupted = interruptions[arguments.count > 3 ? arguments[3] : "once"],
            let seconds = Double(arguments.count > 4 ? arguments[4] : "15"), (0.1...3600).contains(seconds)
        else { fail(usage, status: 2) }
        do {
            // First of all, so that no other thread takes them.
            let signals = try OSSignalSet([SIGINT, SIGTERM])
            try signals.block()
            let place = try Place(arguments[2], timeToLive: .seconds(seconds))
            let outcomes = arguments[1]
            // What is missed, and what an earlier run keeps waiting, runs late.
            let policy = JobPolicy(missed: .runAll, overlapping: .queue(max: 1000), interrupted: interrupted)
            let job = Signals.job(
                "night",
                at: try CalendarSchedule(arguments[0]),
                policy: policy,
                store: place.store,
                lease: place.lease,
                until: Signals.osSignals(signals).map { _ in }.replaceError(with: ()).eraseToAnySignal()
            ) { run in
                try append(run, "begin", to: outcomes)
                // The work.
                try await Task.sleep(for: .milliseconds(300))
                try append(run, "end", to: outcomes)
            }
            _ = try await job.on(next: { say("\($0)") }).lastValue()
        } catch {
            fail("nightjob: \(error)", status: 1)
        }
    }

    /// Adds a line: the calendar's time in seconds since 1970, the fencing number, the process, the attempt, and what it is.
    private static func append(_ run: JobRun, _ what: String, to path: String) throws {
        let line = "\(run.time.nanoseconds / 1_000_000_000) \(run.number) \(getpid()) \(run.attempt) \(what)\n"
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Failure(description: "cannot open \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        // In one call, so that lines of several processes do not mix.
        guard write(file, line, line.utf8.count) == line.utf8.count else {
            throw Failure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
    }

    private static func say(_ text: String) {
        let line = text + "\n"
        _ = write(STDOUT_FILENO, line, line.utf8.count)
    }

    private static func fail(_ text: String, status: CInt) -> Never {
        let line = text + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        exit(status)
    }
}

/// What all instances have in common.
private struct Place {
    let store: any JobStore
    let lease: any JobLease

    init(_ text: String, timeToLive: Duration) throws {
        guard text.contains("://") else {
            store = FileJobStore(in: text)
            lease = FileJobLease(in: text, timeToLive: timeToLive)
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4 else { throw Failure(description: "\(text) is not nats://HOST:PORT/BUCKET") }
        var options = NATSOptions(parts.dropLast().joined(separator: "/"))
        options.reconnectWait = .milliseconds(100)
        let bucket = NATSJobBucket(String(parts[3]), over: NATSConnection(options))
        store = NATSJobStore(in: bucket)
        lease = NATSJobLease(in: bucket, timeToLive: timeToLive)
    }
}

private struct Failure: Error, CustomStringConvertible {
    let description: String
}
