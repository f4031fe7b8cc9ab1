import Bus
import Glibc
import TapBridge

/// A small event, like one that a program posts when a service ends.
struct ServiceEnded: Codable, Sendable {
    var service: String
    var exitStatus: Int
}

extension Topic where Value == ServiceEnded {
    static let serviceEnded = Topic("bench.service.ended")
}

/// A bus with a tap that one other process watches.
final class WatchedTap {
    /// The cost of one round, in nanoseconds an event.
    struct Round {
        var wall: Double
        /// Processor time of the thread that posts.
        var poster: Double
        /// Processor time of all other threads of this process, which belong to the tap.
        var tap: Double
        /// Processor time of the process that watches.
        var watcher: Double
    }

    private let bus = NotificationBus()
    private let poster: TopicPoster<ServiceEnded>
    private let tap: Tap
    private let path: String
    private let watcher: PartProcess
    private let watcherClock: clockid_t

    /// This many batches may be in flight. They are fewer events than a queue of the tap holds, so none is lost.
    private static let window = 6

    /// Returns when the watch has begun.
    init(_ reader: TapWatcherProcess.Reader) throws {
        poster = bus.poster(for: .serviceEnded)
        path = "/tmp/busctl-rx-bench.\(getpid()).\(reader.rawValue).tap"
        var options = TapOptions()
        // The poster posts as fast as the watcher receives. The tap must not omit events because of the processor time
        // that this takes. The bound on the tap's thread is that of its default share.
        options.processorShare = 1
        tap = try bus.serve(at: path, options: options)
        watcher = try PartProcess([TapWatcherProcess.argument, path, reader.rawValue])
        var clock = clockid_t()
        guard clock_getcpuclockid(watcher.id, &clock) == 0 else { throw Complaint("the watcher has no clock") }
        watcherClock = clock
        try watcher.waitForByte()
    }

    deinit {
        tap.dispose()
    }

    /// Posts events, and returns when the watcher has received them all.
    ///
    /// - Parameter batches: how many times ``TapWatcherProcess/batch`` events are posted.
    func run(_ batches: Int) throws -> Round {
        let lost = tap.activity.lost
        let event = ServiceEnded(service: "web-frontend", exitStatus: 1)
        let start = times
        for batch in 0..<batches {
            if batch >= Self.window { try watcher.waitForByte() }
            for _ in 0..<TapWatcherProcess.batch { poster.post(event) }
        }
        for _ in 0..<min(Self.window, batches) { try watcher.waitForByte() }
        let end = times
        guard tap.activity.lost == lost else { throw Complaint("the tap has left out events") }
        let events = Double(batches * TapWatcherProcess.batch)
        return Round(
            wall: (end.wall - start.wall) / events,
            poster: (end.poster - start.poster) / events,
            tap: (end.tap - start.tap) / events,
            watcher: (end.watcher - start.watcher) / events
        )
    }

    private var times: Round {
        let poster = Self.reading(CLOCK_THREAD_CPUTIME_ID)
        return Round(
            wall: Self.reading(CLOCK_MONOTONIC),
            poster: poster,
            tap: Self.reading(CLOCK_PROCESS_CPUTIME_ID) - poster,
            watcher: Self.reading(watcherClock)
        )
    }

    private static func reading(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
