import Bus
import Glibc
import LinkBridge
import TestSupport
import Testing
import Timers

@Suite("Links over a server that is stopped and goes on")
struct StoppedServerTests {
    enum Form: CaseIterable {
        case unix
        case nats
    }

    /// The process that the links need.
    private enum Server {
        case daemon(Probe)
        case nats(TestNATSServer)

        /// Returns when it has stopped.
        func suspend() async {
            switch self {
            case .daemon(let probe):
                kill(probe.pid, SIGSTOP)
                let number = probe.pid
                await offThePool { _ = waitpid(number, nil, WUNTRACED) }
            case .nats(let server): await server.suspend()
            }
        }

        func resume() {
            switch self {
            case .daemon(let probe): kill(probe.pid, SIGCONT)
            case .nats(let server): server.resume()
            }
        }
    }

    /// A value that knows how many of its kind there are in this process.
    private struct Numbered: Codable, Sendable {
        let number: Int
        var text = String(repeating: "x", count: 2000)
        private var life: Life?

        private enum CodingKeys: CodingKey { case number, text }

        init(_ number: Int, _ alive: Counted) {
            self.number = number
            life = Life(alive)
        }

        private final class Life: Sendable {
            private let alive: Counted

            init(_ alive: Counted) {
                self.alive = alive
                alive.change(by: 1)
            }

            deinit { alive.change(by: -1) }
        }
    }

    private final class Counted: Sendable {
        private let state = Lock((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func change(by count: Int) {
            state.withLock { state in
                state.now += count
                state.most = max(state.most, state.now)
            }
        }
    }

    private static let topic = Topic<Numbered>("test.numbers")

    @Test(
        "Each number that is sent meanwhile is heard once or counted as missing, and few wait",
        arguments: Form.allCases
    )
    func stopped(_ form: Form) async throws {
        let folder = TapFolder()
        var address = "unix:\(folder.socket)"
        var server: Server
        switch form {
        case .unix:
            server = .daemon(
                try Probe(Probe.folder + "/fleet-pager", [], environment: ["FLEET_BUS": "\(address)?serve"])
            )
        case .nats:
            let nats = try await TestNATSServer.start()
            server = .nats(nats)
            address = "\(nats.url)/test.bus"
        }
        var options = LinkOptions()
        options.backoff = .exponential(from: .milliseconds(1), upTo: .milliseconds(20))
        let buses = (sender: NotificationBus(), hearer: NotificationBus())
        let (sender, hearer) = (
            buses.sender.link([Self.topic.shared()], over: try BusAddress(address), options: options),
            buses.hearer.link([Self.topic.shared()], over: try BusAddress(address), options: options)
        )
        let (heard, echoes, news, own) = (Heard<Int>(), Heard<UInt64>(), Heard<LinkNews>(), Heard<LinkNews>())
        let subscriptions = CompoundDisposable()
        hearer.arrivals(on: Self.topic).subscribe(next: { heard.append($0.value.number) }).store(in: subscriptions)
        sender.arrivals(on: Self.topic).subscribe(next: { echoes.append($0.sequence) }).store(in: subscriptions)
        hearer.news.subscribe(next: news.append).store(in: subscriptions)
        sender.news.subscribe(next: own.append).store(in: subscriptions)
        let alive = Counted()
        var last = 0
        func post(_ count: Int = 1) {
            for _ in 0..<count {
                last += 1
                buses.sender.post(Numbered(last, alive), to: Self.topic)
            }
        }
        // Nobody hears a value that is posted before both links are there.
        while heard.values.isEmpty, !RunLimit.isOver {
            post()
            try await Task.sleep(for: .milliseconds(2))
        }
        for round in 0..<Stress.rounds(2, stress: 10) {
            await server.suspend()
            post(20_000)
            // In the second round longer than anything is waited for.
            try await Task.sleep(for: round.isMultiple(of: 2) || !Stress.isAsked ? .seconds(1) : .seconds(45))
            server.resume()
            let before = last
            while (heard.values.last ?? 0) <= before, !RunLimit.isOver {
                post()
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        // Values on their way would be counted as missing between the two questions that follow.
        repeat {
            post()
            for _ in 0..<500 where heard.values.last != last { try await Task.sleep(for: .milliseconds(2)) }
        } while heard.values.last != last && !RunLimit.isOver
        let numbers = heard.values
        let missing = news.values.reduce(0) { if case .missing(_, let count, _) = $1 { $0 + count } else { $0 } }
        let unsent = own.values.reduce(0) { if case .unsent(_, let count, _) = $1 { $0 + count } else { $0 } }
        let first = try #require(numbers.first)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(
            numbers.count + missing == (numbers.last ?? 0) - first + 1,
            "\(numbers.count) heard, \(missing) missing"
        )
        #expect(echoes.values.isEmpty)
        #expect(unsent > 0 && unsent <= missing + first, "\(unsent) not sent, \(missing) missing")
        // Those that wait, and one on each of the threads that post, encode and hear.
        #expect(alive.most <= options.limit + 3)
        sender.dispose()
        hearer.dispose()
        subscriptions.dispose()
    }
}
