import Bus
import BusTesting
import CLinux
import DescriptorBridge
import FileBridge
import Glibc
import Observation
import ObservationBridge
import ProcessBridge
import SystemPackage
import SystemdBridge
import TestSupport
import Testing

@Observable
private final class Gauge: @unchecked Sendable {
    // Created on one thread, then changed and read on the shared scheduler.
    var level = -1
}

/// The sources follow one that the check drives. Each number is carried by a bridge of its own.
@Suite("The contract of bridges that are sources")
struct BridgeContractTests {
    private static let failed: TestFailure = "a bridge failed"

    /// The violations found in a chain that carries each number by a separate signal.
    private static func violations<Inner: Signal<Int, TestFailure>>(
        _ name: String,
        _ inner: @escaping @Sendable (Int) -> Inner
    ) -> [String] {
        let flights = Flights()
        let check = ContractCheck(name, settle: { flights.settle() }) { sources in
            sources[0].flatMap(.concat) { number in flights.counting { inner(number) } }
        }
        return check.violations()
    }

    @Test("bytes of a descriptor")
    func bytes() {
        let found = Self.violations("bytes") { number in
            Signals.using(
                { Self.pipe(holding: number) },
                release: { _ = close($0) },
                { end in
                    Signals.lines(from: FileDescriptor(rawValue: end)).compactMap { Int($0) }
                        .mapError { _ in Self.failed }
                }
            )
        }
        #expect(found == [])
    }

    @Test("readiness of a descriptor")
    func readiness() {
        let found = Self.violations("readiness") { number in
            Signals.using(
                { Self.pipe(holding: number) },
                release: { _ = close($0) },
                { end in
                    Signals.readiness(of: FileDescriptor(rawValue: end), for: .readable).take(first: 1)
                        .map { _ in number }
                        .mapError { _ in Self.failed }
                }
            )
        }
        #expect(found == [])
    }

    /// The reading end of a pipe without a writer.
    private static func pipe(holding number: Int) -> CInt {
        var (reading, writing): (CInt, CInt) = (-1, -1)
        guard clinux_pipe(&reading, &writing) == 0 else { return -1 }
        let text = Array("\(number)\n".utf8)
        _ = write(writing, text, text.count)
        close(writing)
        return reading
    }

    @Test("the exit of a process")
    func exits() throws {
        var argv = [strdup("true"), nil]
        defer { for word in argv { free(word) } }
        var spawned: pid_t = 0
        try #require(posix_spawn(&spawned, "/bin/true", nil, nil, &argv, nil) == 0)
        let pid = spawned
        var info = siginfo_t()
        // The child remains a zombie, so that its exit can be observed.
        #expect(waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == 0)
        let found = Self.violations("exit") { number in
            Signals.exit(of: pid).map { $0.status == .exited(code: 0) ? number : -1 }.mapError { _ in
                Self.failed
            }
        }
        #expect(found == [])
        waitpid(pid, nil, 0)
    }

    @Test("changes of a directory, made by each subscription itself")
    func changes() throws {
        let folder = try TestFolder()
        let mode = Lock<mode_t>(0o600)
        try folder.shell("echo >file")
        let file = folder.file("file")
        let found = Self.violations("changes") { number in
            // The change is made once it is watched for.
            let change = Signals.create(of: FileChange.self, failure: FileWatchError.self) { emitter in
                let next = mode.withLock { mode -> mode_t in
                    mode ^= 0o100
                    return mode
                }
                _ = file.withPlatformString { chmod($0, next) }
                emitter.complete()
                return nil
            }
            return Signals.changes(in: folder.path, for: [.attributes])
                .merge(change)
                .take(first: 1)
                .map { _ in number }
                .mapError { _ in Self.failed }
        }
        #expect(found == [])
    }

    @Test("a child process")
    func children() {
        let found = Self.violations("run") { number in
            Signals.run(ChildProcess("/bin/echo", ["\(number)"]))
                .compactMap { if case .output(let line) = $0 { Int(line) } else { nil } }
                .mapError { _ in Self.failed }
        }
        #expect(found == [])
    }

    @Test("an observed property that is changed once")
    func observed() {
        let found = Self.violations("observed") { number in
            Signals.using({ Gauge() }, release: { _ in }) { gauge in
                gauge.values(of: \.level, on: ThreadScheduler.shared)
                    .on(next: { if $0 < 0 { gauge.level = number } })
                    .skip(first: 1)
                    .take(first: 1)
                    .promoteFailure(to: TestFailure.self)
            }
        }
        #expect(found == [])
    }

    @Test("the watchdog")
    func watchdog() throws {
        // Its messages fill the queue of a receiver that does not read. Then it reports them as unsent, which is also a
        // value.
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name, watchdogInterval: .seconds(600))
        let found = Self.violations("watchdog") { number in
            manager.watchdog(gatedOn: []).take(first: 1).map { _ in number }.promoteFailure(
                to: TestFailure.self
            )
        }
        #expect(found == [])
    }

    /// Counts inner signals, to wait until they are over or wait for an observer that pauses. Each takes several hops.
    private final class Flights: Sendable {
        /// The number of inner signals that do not wait.
        private let count = Lock(0)

        func counting<Inner: Signal>(_ inner: @escaping @Sendable () -> Inner) -> some Signal<
            Inner.Value, Inner.Failure
        > {
            Signals.using(
                { [count] in count.withLock { $0 += 1 } },
                release: { [count] in count.withLock { $0 -= 1 } },
                { [count] in Flight(inner: inner(), count: count) }
            )
        }

        /// Each signal begins on the shared scheduler where the previous one ends. From there, the moment without any
        /// signal cannot be observed.
        func settle() {
            var idle = 0
            while idle < 3 {
                ProcessState.settle()
                let (found, looked) = (Lock(0), Latch())
                ThreadScheduler.shared.schedule { [count] in
                    let now = count.withLock { $0 }
                    found.withLock { $0 = now }
                    looked.open()
                }
                looked.wait()
                idle = found.withLock { $0 } == 0 ? idle + 1 : 0
            }
        }
    }

    /// An inner signal. It does not count while its observer pauses.
    private struct Flight<Inner: Signal>: Signal {
        typealias Value = Inner.Value
        typealias Failure = Inner.Failure

        let inner: Inner
        let count: Lock<Int>

        func subscribe<Downstream: Observer & ~Copyable>(
            _ observer: consuming Downstream
        ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
            inner.subscribe(FlightObserver(downstream: observer, standing: Standing(count)))
        }

        var chain: Chain { inner.chain }
    }

    private final class Standing: Sendable {
        private let count: Lock<Int>
        private let isPaused = Lock(false)

        init(_ count: Lock<Int>) {
            self.count = count
        }

        deinit {
            set(isPaused: false)
        }

        func set(isPaused new: Bool) {
            let isNews = isPaused.withLock { isPaused in
                defer { isPaused = new }
                return isPaused != new
            }
            if isNews { count.withLock { $0 += new ? -1 : 1 } }
        }
    }

    private struct FlightObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
        typealias Value = Downstream.Value
        typealias Failure = Downstream.Failure

        var downstream: Downstream
        let standing: Standing

        mutating func next(_ value: Value) -> Demand { downstream.next(value) }

        mutating func lost(_ count: Int) { downstream.lost(count) }

        consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

        var demand: Demand { downstream.demand }

        mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
            // This is set before the observer is asked, because it may call back at once.
            standing.set(isPaused: true)
            let demand = downstream.whenReady { [standing] in
                standing.set(isPaused: false)
                resume()
            }
            if demand != .pause { standing.set(isPaused: false) }
            return demand
        }
    }

    @Test("each has its description")
    func chains() {
        #expect(Signals.bytes(from: .standardInput).chain.description == "[bytes(0)]")
        #expect(Signals.lines(from: .standardInput).chain.description == "[bytes(0)] lines")
        #expect(Signals.changes(in: "/etc").chain.description == "[changes(in: /etc)]")
        #expect(Signals.changes(of: "/etc/fstab").chain.description == "[changes(of: /etc/fstab)]")
        #expect(Signals.run(ChildProcess("date")).chain.description == "[run(date)]")
        #expect(Signals.exit(of: 1).chain.description == "[exit(of: 1)]")
        #expect(Signals.just([1]).write(to: .standardOutput).chain.description.hasSuffix("write(descriptor 1)"))
    }
}
