import Bus
import BusTesting
import Foundation
import Glibc
import TestSupport
import Testing
import Timers

@testable import TapBridge

@Suite("busctl-rx looks into a program through its tap")
struct CommandLineTapTests {
    private struct Deployment: Codable, Sendable {
        var service: String
        var version: Int
        var token = "secret"
    }

    /// This process as the program that is looked into.
    private final class Program: Sendable {
        let folder: TemporaryFolder
        let bus = NotificationBus()
        let tap: Tap

        init(_ options: TapOptions = TapOptions()) throws {
            folder = try TemporaryFolder()
            tap = try bus.serve(at: folder.path("deployer.tap"), options: options)
        }

        deinit { tap.dispose() }

        var path: String { folder.path("deployer.tap") }

        /// Waits until there are so many watches.
        func waitForWatches(_ count: Int = 1) throws { try Self.waitForWatches(count, on: bus) }

        static func waitForWatches(_ count: Int, on bus: NotificationBus) throws {
            let poster = bus.poster(for: Topic<Int>("probe"))
            while bus.topics.first?.patternSubscribers != count {
                if RunLimit.isOver { throw Command.Failure(description: "no watch") }
                usleep(2000)
            }
            _ = poster
        }
    }

    private static let started = Topic<Deployment>("deploy.started", keeping: .last)
    private static let numbers = Topic<Int>("numbers")

    private func tail(_ program: Program, _ arguments: String...) throws -> TailProcess {
        // That of a process before may not have ended yet.
        try program.waitForWatches(0)
        let process = try TailProcess(["tail", "--from", "unix:\(program.path)"] + arguments)
        try program.waitForWatches()
        return process
    }

    @Test("tail shows what is posted, kept values first, and filters in the program")
    func tail() throws {
        var options = TapOptions()
        options.redact = { _, path in path.last == "token" }
        let program = try Program(options)
        program.bus.post(Deployment(service: "web", version: 1), to: Self.started)
        let plain = try TailProcess([
            "tail", "--from", "unix:\(program.path)", "--template", "{topic} {value}", "--count", "2",
        ])
        try plain.wait(forOutput: "deploy.started")
        program.bus.post(7, to: Self.numbers)
        let ended = try plain.end()
        #expect(
            ended.output == "deploy.started {\"service\":\"web\",\"version\":1,\"token\":\"<redacted>\"}\nnumbers 7\n"
        )
        #expect(ended.status == 0 && ended.errors == "")
        program.bus.clearRetained(for: Self.started)

        let filtered = try tail(program, "-o", "json", "--count", "1", "value.service == 'db' && sequence > 2")
        for version in 2...3 {
            for service in ["web", "db"] {
                program.bus.post(Deployment(service: service, version: version), to: Self.started)
            }
        }
        let output = try filtered.end().output
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        let fields = object?["fields"] as? [String: Any]
        #expect(object?["source"] as? String == "bus" && object?["sequence"] as? Int == 3)
        #expect(fields?["topic"] as? String == "deploy.started" && fields?["type"] as? String == "Deployment")
        #expect((fields?["value"] as? [String: Any])?["version"] as? Int == 2)
    }

    @Test("a filter that only this process can evaluate is evaluated here")
    func localFilter() throws {
        let program = try Program()
        let local = try tail(program, "-o", "cat", "--count", "1", "message == '9' && source == 'bus'")
        for number in 8...9 { program.bus.post(number, to: Self.numbers) }
        #expect(try local.end().output == "9\n")
    }

    @Test("beside another source, and --count ends it though nothing more is posted")
    func beside() throws {
        let program = try Program()
        let input = program.folder.path("log")
        try "a line\n".write(toFile: input, atomically: false, encoding: .utf8)
        let process = try TailProcess([
            "tail", "--from", "unix:\(program.path)", "--from", "lines:\(input)", "-n", "all", "-o", "cat", "--count",
            "2",
            "topic == 'numbers' || source == 'lines'",
        ])
        try program.waitForWatches()
        try process.wait(forOutput: "a line\n")
        program.bus.post(10, to: Self.numbers)
        program.bus.post(0, to: Topic<Int>("other"))
        #expect(try process.end().output == "a line\n10\n")
    }

    @Test("the end of the program ends tail with a line; --reconnect waits, and tells of the gap")
    func ending() throws {
        let program = try Program()
        let once = try TailProcess(["tail", "--from", "unix:\(program.path)"])
        let again = try TailProcess(["tail", "--from", "unix:\(program.path)", "--reconnect", "-o", "cat"])
        try program.waitForWatches(2)
        program.bus.post(1, to: Self.numbers)
        try again.wait(forOutput: "1\n")
        program.bus.close()
        let ended = try once.end()
        #expect(
            ended.status == 3
                && ended.errors == "busctl-rx: bus: the program that serves \(program.path) has closed it\n"
        )
        try again.wait(forErrors: "waiting for it\n")
        program.tap.dispose()
        let bus = NotificationBus()
        let tap = try bus.serve(at: program.path)
        try again.wait(forErrors: "what was posted meanwhile is missing here\n")
        try Program.waitForWatches(1, on: bus)
        bus.post(2, to: Self.numbers)
        try again.wait(forOutput: "2\n")
        again.send(SIGTERM)
        let stopped = try again.end()
        // The tap of the closed bus let nobody in again.
        #expect(stopped.status == -SIGTERM && stopped.errors.components(separatedBy: "missing here").count == 2)
        tap.dispose()
    }

    @Test("post posts where the program allows it, and says why not elsewhere")
    func post() throws {
        var options = TapOptions()
        options.allowPosting(on: Self.started) { json in
            try JSONDecoder().decode(Deployment.self, from: Data(json))
        }
        let program = try Program(options)
        let json = #"{"service":"web","version":12,"token":""}"#
        #expect(
            try TailProcess.run("post", program.path, "deploy.started", json)
                == .init(status: 0, output: "", errors: "")
        )
        #expect(program.bus.retained(for: Self.started).map(\.value.version) == [12])
        let input = try TailProcess.run(
            ["post", "unix:\(program.path)", "deploy.started", "-"],
            input: Data(json.utf8)
        )
        #expect(input == .init(status: 0, output: "", errors: ""))
        #expect(program.bus.retained(for: Self.started).map(\.sequence) == [2])
        let refused = try TailProcess.run("post", program.path, "numbers", "1")
        #expect(
            refused
                == .init(
                    status: 3,
                    output: "",
                    errors: "busctl-rx: \(program.path): nobody may post on the topic numbers\n"
                )
        )
        let wrong = try TailProcess.run("post", program.path, "deploy.started", "{}")
        #expect(
            wrong.status == 3
                && wrong.errors.hasPrefix(
                    "busctl-rx: \(program.path): the topic deploy.started does not take this value"
                )
        )
        let long = try TailProcess.run(["post", program.path, "numbers", "-"], input: Data(count: 70_000))
        #expect(long.status == 2 && long.errors.contains("65536 bytes"))
    }

    @Test("sources lists the taps of the host, and a name stands for the path")
    func names() throws {
        let program = try Program()
        let environment = ["LANG": "C", "TZ": "UTC", "XDG_RUNTIME_DIR": program.folder.path("")]
        let sources = try TailProcess.run(["sources"], environment: environment)
        #expect(sources.output.contains("unix:\(program.path)\n"))
        let process = try TailProcess(
            ["tail", "--from", "unix:deployer", "-o", "cat", "--count", "1"],
            environment: environment
        )
        try program.waitForWatches()
        program.bus.post(5, to: Self.numbers)
        #expect(try process.end().output == "5\n")
        let unknown = try TailProcess.run(["tail", "--from", "unix:nobody"], environment: environment)
        #expect(unknown.status == 2 && unknown.errors.contains("no program here serves a tap of this name"))
    }

    @Test(
        "what is wrong is said in one line",
        arguments: [
            (["tail", "--reconnect"], "--reconnect waits for a program"), (["inspect"], "<tap>"),
            (["tail", "--from", "unix:"], "needs something behind it"), (["inspect", ""], "write the path of a tap"),
            (["post", "/x", "y", ""], "the value is empty"),
            (["inspect", "--json", "--top", "3", "/x"], "Give one of them"),
            (["tail", "--from", "unix:/x", "--no-follow"], "says something only while it is listened to"),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        let ended = try TailProcess.run(arguments)
        #expect(ended.status == 2 && ended.output == "" && ended.errors.contains(message), "\(ended.errors)")
    }

    @Test("a signal that timeout(1) sends twice does not keep what was counted from being written")
    func twice() throws {
        let process = try TailProcess(["count", "--from", "every:10ms", "-f", "--by", "source"])
        try process.waitUntilTakingSignals()
        process.send(SIGTERM)
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(ended.status == -SIGTERM && ended.output.hasPrefix("COUNT   SHARE  SOURCE\n"))
    }

    @Test("inspect shows the program's jobs, for people and as JSON")
    func jobs() async throws {
        let program = try Program()
        let store = FileJobStore(in: program.folder.path)
        let other = FileJobLease(in: program.folder.path)
        let grant = try #require(try await other.acquire("leased"))
        let job = Recorder(
            Signals.job("nightly", at: try CalendarSchedule("*:*:*"), store: store) { _ in
                try await Task.sleep(for: .seconds(3600))
            }
        )
        let later = Signals.job("later", at: try CalendarSchedule("2199-12-31 12:00 UTC"), store: store) { _ in }
            .subscribe(next: { _ in })
        let leased = Signals.job(
            "leased",
            at: try CalendarSchedule("2199-12-31 12:00 UTC"),
            store: store,
            lease: FileJobLease(in: program.folder.path)
        ) { _ in }
        .subscribe(next: { _ in })
        defer {
            job.dispose()
            later.dispose()
            leased.dispose()
        }
        await until {
            let jobs = JobStatus.first(1000).jobs
            return jobs.contains { $0.name == "nightly" && $0.running == 1 }
                && jobs.contains { $0.name == "later" && $0.next != nil }
                && jobs.contains { $0.name == "leased" && $0.holder != nil }
        }
        let shown = try TailProcess.run(["inspect", program.path])
        #expect(shown.status == 0 && shown.errors == "")
        let rows = shown.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        #expect(rows.contains { $0 == ["JOB", "NEXT", "RUNNING", "WAITING", "MISSED", "LAST", "LEASE", "SCHEDULE"] })
        #expect(rows.contains { $0.first == "nightly" && $0.count > 2 && $0[2] == "1" })
        #expect(
            rows.contains {
                $0 == ["later", "2199-12-31T12:00:00Z", "0", "0", "0", "-", "-", "2199-12-31", "12:00:00", "UTC"]
            }
        )
        let wanted = ["wanted", "(\(JobGrant.holderName)", "has", "it)"]
        #expect(rows.contains { $0.first == "leased" && $0.dropFirst(6).prefix(4).map(String.init) == wanted })
        let written = try TailProcess.run(["inspect", "--json", program.path])
        let object = try JSONSerialization.jsonObject(with: Data(written.output.utf8)) as? [String: Any]
        let jobs = object?["jobs"] as? [[String: Any]]
        #expect(jobs?.first { $0["name"] as? String == "nightly" }?["running"] as? Int == 1)
        #expect(jobs?.first { $0["name"] as? String == "later" }?["next"] as? Int == 7_258_075_200_000_000_000)
        await other.release(grant, of: "leased")
    }

    @Test("where nothing listens, the status is 3")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("none.tap")
        for command in [["tail", "--from", "unix:\(path)"], ["inspect", path], ["post", path, "a", "1"]] {
            let ended = try TailProcess.run(command)
            #expect(ended.status == 3 && ended.errors.contains("there is no such socket") && ended.output == "")
        }
        // Nobody has to read an output that is not written.
        for output in [">&-", "| true"] {
            let script = "set -o pipefail; '\(TailProcess.program)' post '\(path)' a 1 2>/dev/null \(output)"
            for _ in 1...5 { #expect(try Command.run("/bin/bash", ["-c", script]).status == 3) }
        }
    }

    @Test("a program that does not answer is not waited for for ever")
    func silent() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("silent.tap")
        // The system lets clients in, and nobody reads what they ask.
        let socket = try ListeningSocket(path: path, mode: 0o600)
        defer { _ = close(socket.descriptor) }
        let runs = try [["inspect", path], ["inspect", "--every", "1s", path], ["post", path, "a", "1"]]
            .map { try TailProcess($0) }
        for run in runs {
            let ended = try run.end()
            #expect(ended.status == 3 && ended.output == "")
            #expect(ended.errors.hasPrefix("busctl-rx: the program that serves \(path) has not answered for "))
        }
    }
}
