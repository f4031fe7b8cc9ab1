import Bus
import Glibc
import OSSignalBridge
import Timers

/// Reports, or counts, what one or more subscriptions hear.
struct Listening: Sendable {
    private let set: OSSignalSet
    private let setup: Setup
    private let listeners: Int
    private let counts: Bool

    /// - Parameter words: the signals, how the process is set up, how many listeners, and `tell` or `count`.
    init(_ words: [String]) throws {
        set = try OSSignalSet(words[0].split(separator: ",").compactMap { CInt($0) })
        setup = Setup(rawValue: words[1]) ?? .blocked
        listeners = Int(words[2]) ?? 1
        counts = words[3] == "count"
    }

    func run() throws {
        try setup.prepare(set)
        setup.perform { serve() }
    }

    private func serve() {
        let counters = (0..<listeners).map { _ in Counter() }
        let subscriptions = counters.enumerated().map { index, counter in
            Signals.osSignals(set).subscribe(
                next: { signal in
                    counter.add(signal)
                    if !counts { Output.line("\(index): \(Self.words(signal))") }
                },
                failed: { Output.line("failed: \($0)") },
                lost: { counter.lose($0) }
            )
        }
        Output.line("listening")
        while let command = readLine() {
            switch command {
            case "report": for counter in counters { Output.line(counter.report) }
            case "threads": Output.line("\((try? set.readiness().description) ?? "?")")
            case "child": startChild()
            case "limit":
                Limits.queuedSignals = 200
                Output.line("limited")
            case "end":
                for subscription in subscriptions { subscription.dispose() }
                return
            default: Output.line("unknown command \(command)")
            }
        }
    }

    static func words(_ signal: OSSignal) -> String {
        [signal.number, signal.code, signal.pid, CInt(bitPattern: signal.uid), signal.value, signal.status]
            .map(String.init).joined(separator: " ")
    }

    private func startChild() {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        try? ChildSignals.clean(&attributes)
        Output.line("child \(spawn(["/bin/sh", "-c", "exit 7"], &attributes))")
    }
}

@discardableResult
func spawn(_ words: [String], _ attributes: UnsafePointer<posix_spawnattr_t>?) -> pid_t {
    var pid: pid_t = 0
    var argv = words.map { strdup($0) }
    argv.append(nil)
    posix_spawn(&pid, words[0], nil, attributes, argv, environ)
    for pointer in argv { free(pointer) }
    return pid
}

/// How much was heard, and whether the attached values counted up.
final class Counter: Sendable {
    private struct State {
        var heard = 0
        var lost = 0
        var isOrdered = true
        var last: [CInt: CInt] = [:]
        var peak = 0
    }

    private let state = Lock(State())

    func add(_ signal: OSSignal) {
        state.withLock { state in
            state.heard += 1
            if signal.value <= state.last[signal.number, default: 0], !signal.mayStandForSeveral {
                state.isOrdered = false
            }
            state.last[signal.number] = signal.value
        }
    }

    func lose(_ count: Int) { state.withLock { $0.lost += count } }

    var report: String {
        state.withLock { "heard \($0.heard) lost \($0.lost) ordered \($0.isOrdered) memory \(Facts.memory)" }
    }
}
