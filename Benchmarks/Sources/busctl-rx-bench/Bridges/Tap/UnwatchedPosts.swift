import Bus
import Glibc
import TapBridge

/// Posts on a bus with one subscriber. The bus may be served by a tap that nobody watches.
struct UnwatchedPosts {
    /// The first argument of a process that only posts, so that its instructions can be counted. `open` or `none`
    /// follows, and then the number of events.
    static let argument = "--tap-posts"

    private let bus = NotificationBus()
    private let poster: TopicPoster<ServiceEnded>
    private let subscription: any Disposable
    private let event = ServiceEnded(service: "web-frontend", exitStatus: 1)

    init() {
        let tally = Sum()
        poster = bus.poster(for: .serviceEnded)
        subscription = bus.signal(for: .serviceEnded).subscribe(next: { tally.add($0.exitStatus) })
    }

    /// Nanoseconds of processor time an event. Some come before and are not counted: the first milliseconds after the
    /// opening of a tap are slower, with the same instructions. They are the same number for any `events`, so that a
    /// difference of two counts of instructions is that of the events.
    func time(_ events: Int) -> Double {
        for _ in 0..<100_000 { poster.post(event) }
        var (start, end) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        for _ in 0..<events { poster.post(event) }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return (Double(end.tv_sec - start.tv_sec) * 1e9 + Double(end.tv_nsec - start.tv_nsec)) / Double(events)
    }

    /// Calls `body` while a tap is open.
    func whileServed<Result>(_ body: () throws -> Result) throws -> Result {
        let tap = try bus.serve(at: "/tmp/busctl-rx-bench.\(getpid()).quiet.tap")
        defer { tap.dispose() }
        return try body()
    }

    /// - Throws: ``Complaint``.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 2, let events = Int(arguments[1]) else {
            throw Complaint("\(argument) needs \"open\" or \"none\", and how many events")
        }
        let posts = UnwatchedPosts()
        _ = arguments[0] == "open" ? try posts.whileServed { posts.time(events) } : posts.time(events)
    }
}
