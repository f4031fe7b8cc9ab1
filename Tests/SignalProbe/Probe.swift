import Bus
import Dispatch
import Glibc
import OSSignalBridge
import Timers

enum Probe {
    static func run(_ words: [String]) {
        guard let scene = words.first else { return Output.line("no scene") }
        let rest = Array(words.dropFirst())
        do {
            switch scene {
            case "listen": try Listening(rest).run()
            case "answer": try Answering(rest).run()
            case "churn": try Churning(rest).run()
            case "children": try Children.run()
            case "dispatch": try Beside.dispatch()
            case "lifecycle": try Beside.lifecycle()
            case "exhaust": try Exhaustion.run()
            case "terminate": try Requests.terminate()
            case "reload": Requests.reload()
            case "fork": try Forking.run()
            case "crowd": try Crowding(rest).run()
            default: Output.line("unknown scene \(scene)")
            }
        } catch {
            Output.line("error: \(error)")
        }
    }
}

/// How the process has prepared for its signals.
enum Setup: String {
    /// Blocked first thing in main.
    case blocked
    /// A thread that does not block them already exists.
    case late
    /// The main thread was given to Dispatch, as by an asynchronous main. Nothing is blocked.
    case parked
    /// As before, but the main thread blocks first, and is given to Dispatch once there is a subscription.
    case parkedLater

    func prepare(_ set: OSSignalSet) throws {
        switch self {
        case .parked: return
        case .blocked, .parkedLater: Output.line("\(try set.block().isComplete)")
        case .late:
            startUnblockedThread()
            Output.line("\(try set.block())")
        }
    }

    /// Not one of the package's threads, because they block everything.
    private func startUnblockedThread() {
        let started = Latch()
        var thread = pthread_t()
        let create = { (context: UnsafeMutableRawPointer) in
            pthread_create(
                &thread,
                nil,
                { context in
                    if let context { Unmanaged<Latch>.fromOpaque(context).takeRetainedValue().open() }
                    while true { pause() }
                },
                context
            )
        }
        guard create(Unmanaged.passRetained(started).toOpaque()) == 0 else { return Output.line("no thread") }
        // It blocks everything while it is being created.
        started.wait()
    }

    /// Runs the scene on the thread that its setup requires.
    func perform(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .blocked, .late: body()
        case .parked, .parkedLater:
            let isFirst = self == .parked
            let thread = ThreadScheduler(name: "probe")
            thread.schedule {
                if isFirst { Self.waitUntilParked() }
                body()
                // Without a check for leaks: the main thread's frames are gone, and they would have released what they
                // held.
                fflush(nil)
                _exit(0)
            }
            dispatchMain()
        }
    }

    /// Dispatch does not report when it has put the main thread to sleep.
    static func waitUntilParked() {
        while !(Facts.text("/proc/self/task/\(getpid())/syscall").hasPrefix("\(suspendCall) ")) { usleep(1000) }
    }

    #if arch(x86_64)
        private static let suspendCall = 130
    #else
        private static let suspendCall = 133
    #endif
}
