import Bus
import Glibc
import OSSignalBridge
import Timers

/// A chain with a full queue, and an interval and a signal that only share its scheduler.
struct Crowding: Sendable {
    private let name: String
    private let ticks = Lock<[Duration]>([])
    private let lost = Lock(0)
    private let heard = Lock(0)

    /// - Parameter words: the kind of chain.
    init(_ words: [String]) {
        name = words.first ?? "control"
    }

    func run() throws {
        let set = try OSSignalSet([SIGUSR1])
        _ = try set.block()
        let chain = start()
        let beside = [
            Signals.osSignals(set, on: TimerScheduler.shared).subscribe(
                next: { _ in Output.line("heard") },
                failed: { Output.line("failed: \($0)") }
            ),
            Signals.interval(every: .milliseconds(50)).subscribe(next: { tick in
                ticks.withLock { $0.append(tick.lateness) }
            }),
        ]
        Output.line("ready")
        while let command = readLine() {
            switch command {
            case "report": report()
            default: Output.line(command)
            }
        }
        for handle in chain + beside { handle.dispose() }
    }

    /// Writes the number of ticks, the 99th percentile of their lateness in nanoseconds, and how many values the chain
    /// passed and lost.
    private func report() {
        let late = ticks.withLock { $0.sorted() }
        let last = late.isEmpty ? .zero : late[(late.count - 1) * 99 / 100]
        let nanoseconds = last.components.seconds * 1_000_000_000 + last.components.attoseconds / 1_000_000_000
        Output.line("\(late.count) \(nanoseconds) \(heard.withLock { $0 }) \(lost.withLock { $0 })")
    }

    private func hear() { heard.withLock { $0 += 1 } }

    private func lose(_ count: Int) { lost.withLock { $0 += count } }

    private func start() -> [any Disposable] {
        let fast = Signals.interval(every: .milliseconds(1))
        switch name {
        case "zip":
            let pairs = fast.zip(Signals.interval(every: .milliseconds(200)), limit: 8)
            return [pairs.subscribe(next: { _ in hear() }, lost: lose)]
        case "concat":
            let waits = fast.flatMap(.concat, limit: 8) { _ in Signals.timer(after: .milliseconds(200)) }
            return [waits.subscribe(next: { _ in hear() }, lost: lose)]
        case "deliver":
            let hops = fast.deliver(on: ThreadScheduler(name: "slow"), limit: 8)
            return [hops.subscribe(next: { _ in takeLong() }, lost: lose)]
        case "merge": return merge(fast.map(\.index))
        case "feedback": return feedback()
        case "async": return async()
        case "values": return values()
        default: return []
        }
    }

    private func takeLong() {
        hear()
        usleep(200_000)
    }

    /// The listener is slow with values from another thread, and nearly always busy with one.
    private func merge(_ ticks: some Signal<Int, Never>) -> [any Disposable] {
        let slow = Subject(of: Int.self)
        let handle = slow.merge(ticks).subscribe(next: { if $0 < 0 { takeLong() } }, lost: lose)
        let sender = ThreadScheduler(name: "slow")
        sender.schedule {
            while true { slow.send(-1) }
        }
        return [handle]
    }

    /// Two threads. Each turns each value from the other into two.
    private func feedback() -> [any Disposable] {
        let (there, back) = (Subject(of: Int.self), Subject(of: Int.self))
        let handles = [(there, back, "there"), (back, there, "back")].map { from, to, name in
            from.deliver(on: ThreadScheduler(name: name), limit: 64).subscribe(
                next: { value in
                    hear()
                    usleep(1_000)
                    to.send(value)
                    to.send(value)
                },
                lost: lose
            )
        }
        there.send(0)
        return handles
    }

    private func async() -> [any Disposable] {
        let worker = ThreadScheduler(name: "slow")
        let numbers = Signals.from(AsyncStream(unfolding: { 0 })).take(first: 10_000)
        return [
            numbers.deliver(on: worker, limit: 8).subscribe(
                next: { _ in
                    hear()
                    usleep(50)
                },
                completed: { Output.line("completed") },
                lost: lose
            )
        ]
    }

    /// Iterates over 200 elements, cancelled after one more of them each time.
    private func values() -> [any Disposable] {
        let task = Task {
            for most in 1... where !Task.isCancelled {
                let task = Task { await walk(most: most % 200 + 1) }
                await task.value
            }
        }
        return [ActionDisposable { task.cancel() }]
    }

    private func walk(most: Int) async {
        let elements = Signals.interval(every: .milliseconds(10)).take(first: 200)
        var count = 0
        do throws(ReceiveError<Never>) {
            for try await _ in elements.values() {
                hear()
                count += 1
                if count == most { withUnsafeCurrentTask { $0?.cancel() } }
            }
            lose(1)
        } catch {
            // Each element was heard as soon as it existed, and nothing after the cancellation.
            if count != most || error != .cancelled { lose(1) }
        }
    }
}
