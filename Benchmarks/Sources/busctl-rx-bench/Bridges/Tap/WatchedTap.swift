import Bus
import Glibc
import TapBridge

/// A small event, as a program posts it when a service ends.
struct ServiceEnded: Codable, Sendable {
    var service: String
    var exitStatus: Int
}

extension Topic where Value == ServiceEnded {
    static let serviceEnded = Topic("bench.service.ended")
}

/// A bus with a tap that one other process watches.
final class WatchedTap {
    /// What one round took, in nanoseconds an event.
    struct Round {
        var wall: Double
        /// Processor time of the thread that posts.
        var poster: Double
        /// Processor time of all other threads of this process, which are the tap's.
        var tap: Double
        /// Processor time of the process that watches.
        var watcher: Double
    }

    private let bus = NotificationBus()
    private let poster: TopicPoster<ServiceEnded>
    private let tap: Tap
    private let path: String
    private let watcher: pid_t
    private let acknowledgements: CInt
    private let watcherClock: clockid_t

    /// So many batches may be on their way. Fewer events than a queue of the tap has room for, so that none is lost.
    private static let window = 6

    /// Returns when the watch has begun.
    init(_ reader: TapWatcherProcess.Reader) throws {
        poster = bus.poster(for: .serviceEnded)
        path = "/tmp/busctl-rx-bench.\(getpid()).\(reader.rawValue).tap"
        var options = TapOptions()
        // The poster posts as fast as the watcher receives. The tap must not leave out events because of the processor time that this takes;
        // the bound on the tap's thread holds with the share that it has otherwise.
        options.processorShare = 1
        tap = try bus.serve(at: path, options)
        (watcher, acknowledgements) = try Self.start(reader, path)
        var clock = clockid_t()
        guard clock_getcpuclockid(watcher, &clock) == 0 else { throw Complaint("the watcher has no clock") }
        watcherClock = clock
        try waitForAcknowledgement()
    }

    deinit {
        tap.dispose()
        close(acknowledgements)
        kill(watcher, SIGKILL)
        var status: CInt = 0
        while waitpid(watcher, &status, 0) < 0, errno == EINTR {}
    }

    private static func start(_ reader: TapWatcherProcess.Reader, _ path: String) throws -> (pid_t, CInt) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Complaint("cannot make a pipe: error \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        let program = "/proc/self/exe"
        let arguments = [program, TapWatcherProcess.argument, path, reader.rawValue]
        var vector = arguments.map { strdup($0) }
        vector.append(nil)
        defer { for text in vector { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, nil, vector, environ)
        guard code == 0 else {
            close(ends[0])
            throw Complaint("cannot start a watcher: \(String(cString: strerror(code)))")
        }
        return (process, ends[0])
    }

    private func waitForAcknowledgement() throws {
        var byte: UInt8 = 0
        while true {
            let count = read(acknowledgements, &byte, 1)
            if count == 1 { return }
            guard count < 0, errno == EINTR else { throw Complaint("the watcher has ended") }
        }
    }

    /// Posts events, and returns when the watcher has received them all.
    ///
    /// - Parameter batches: how many times ``TapWatcherProcess/batch`` events.
    func run(_ batches: Int) throws -> Round {
        let lost = tap.activity.lost
        let event = ServiceEnded(service: "web-frontend", exitStatus: 1)
        let start = times
        for batch in 0..<batches {
            if batch >= Self.window { try waitForAcknowledgement() }
            for _ in 0..<TapWatcherProcess.batch { poster.post(event) }
        }
        for _ in 0..<min(Self.window, batches) { try waitForAcknowledgement() }
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
