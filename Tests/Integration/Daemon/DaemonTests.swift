import Foundation
import Glibc
import JournalBridge
import Records
import SystemdBridge
import TestSupport
import Testing

/// Runs the real example daemon with its own journald, its own notification socket and real signals.
@Suite(
    "The example daemon",
    .enabled(if: PrivateJournald.isAvailable, Comment(rawValue: PrivateJournald.hint)),
    .serialized
)
struct DaemonTests {
    /// A unit's error in the form in which systemd's processes report it. Root may name the unit.
    private static func fail(_ unit: String, _ text: String, _ journald: PrivateJournald) throws {
        let fields: KeyValuePairs<JournalFieldName, String> = ["OBJECT_SYSTEMD_UNIT": unit]
        try JournalWriter(socket: journald.entrySocket, identifier: "unit", patience: .seconds(60))
            .write(JournalMessage(text, priority: .error, fields: fields))
    }

    private static func configure(_ file: String, _ journald: PrivateJournald, _ lines: String) throws {
        try """
        journal = \(journald.files)
        socket = \(journald.entrySocket)
        \(lines)
        """.write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// The running daemon, with a journald and a service manager for it.
    private struct Scene {
        let journald: PrivateJournald
        let file: String
        let receiver: DatagramReceiver
        let daemon: Probe
        private let folder: TemporaryFolder

        /// - Parameters:
        ///   -   - lines: its configuration, except for the journal.
        ///   -   - environment: variables in addition to the manager's socket.
        init(_ lines: String, environment: [String: String] = [:]) throws {
            journald = try PrivateJournald(fileSize: "8M")
            folder = try TemporaryFolder()
            file = folder.path("unitwatch.conf")
            try DaemonTests.configure(file, journald, lines)
            receiver = try DatagramReceiver()
            let manager = ["NOTIFY_SOCKET": receiver.name]
            daemon = try Probe(
                Probe.folder + "/unitwatch",
                [file],
                environment: environment.merging(manager) { own, _ in own }
            )
        }
    }

    /// What the daemon has written.
    private static func said(_ journald: PrivateJournald) throws -> [String] {
        try Reading.all(.directory(journald.files), query: .filter(#"identifier == "unitwatch""#)).messages
    }

    private static func wait(for text: String, _ journald: PrivateJournald) throws {
        var said: [String] = []
        do {
            try Deadline.wait(text) {
                said = try Self.said(journald)
                return said.contains { $0.contains(text) }
            }
        } catch {
            throw Command.Failure(description: "\(error); it said \(said)")
        }
    }

    /// The next notification that is not a ping.
    private static func next(_ scene: Scene) throws -> [String] {
        while true {
            let lines = try notification(scene)
            if lines != ["WATCHDOG=1"] { return lines }
        }
    }

    private static func notification(_ scene: Scene) throws -> [String] {
        while true {
            do {
                return try scene.receiver.receive().lines
            } catch  where scene.daemon.isRunning && !RunLimit.isOver {
                continue
            }
        }
    }

    @Test("It starts, reports, reloads, pings and ends as a service manager expects", arguments: [SIGTERM, SIGINT])
    func life(_ ending: Int32) throws {
        let scene = try Scene(
            "unit = first.service\npause = 0\nsummary = *:*:0/1",
            environment: ["WATCHDOG_USEC": "1000000", "TZ": "UTC"]
        )
        defer { scene.journald.stop() }
        let (journald, file, receiver, daemon) = (scene.journald, scene.file, scene.receiver, scene.daemon)
        #expect(try Self.next(scene) == ["READY=1", "STATUS=watching first.service"])
        // It starts to follow at an unknown moment.
        try Deadline.wait("it to follow the journal") {
            try Self.fail("first.service", "broken pipe", journald)
            return try Self.said(journald).contains("first.service says: broken pipe")
        }
        try Self.wait(for: "errors since the last summary", journald)

        // Nobody has read the pings meanwhile. If the socket is full, the daemon's next notification is lost.
        _ = try receiver.receiveAll()
        // An invalid configuration changes nothing.
        try Self.configure(file, journald, "unit = second.service\npause = soon")
        kill(daemon.pid, SIGHUP)
        #expect(try Self.next(scene).first == "RELOADING=1")
        let kept = try Self.next(scene)
        #expect(kept.first == "READY=1")
        #expect(kept.last?.contains("line 4: \"pause = soon\" is no setting") == true)

        try Self.configure(file, journald, "unit = second.service\npause = 0\nsummary = *:*:0/1")
        kill(daemon.pid, SIGHUP)
        let reloading = try Self.next(scene)
        #expect(reloading.first == "RELOADING=1" && reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect(try Self.next(scene) == ["READY=1", "STATUS=watching second.service"])
        try Deadline.wait("it to follow the other unit") {
            try Self.fail("second.service", "no space", journald)
            return try Self.said(journald).contains("second.service says: no space")
        }

        _ = try receiver.receiveAll()
        for _ in 0..<3 { #expect(try Self.notification(scene) == ["WATCHDOG=1"]) }
        kill(daemon.pid, ending)
        #expect(try Self.next(scene) == ["STOPPING=1", "STATUS=ending"])
        #expect(try daemon.end() == 0)
        #expect(daemon.said == "")
        try Self.wait(for: "at the end", journald)
    }

    @Test("Errors in a log file are passed on, also after the file was rotated")
    func others() throws {
        let folder = try TemporaryFolder()
        let log = folder.path("shop.json")
        func append(_ line: String) throws {
            let descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            #expect(write(descriptor, "\(line)\n", line.utf8.count + 1) == line.utf8.count + 1)
        }
        try append(#"{"level":"error","msg":"old"}"#)
        let scene = try Scene("unit = any.service\nalso = json:\(log)")
        defer { scene.journald.stop() }
        let journald = scene.journald
        #expect(try Self.next(scene).first == "READY=1")
        // It begins at the end of the file at an unknown moment.
        try Deadline.wait("it to follow the log") {
            try append(#"{"level":"info","msg":"sold"}"#)
            try append(#"{"level":"error","msg":"disk full"}"#)
            return try Self.said(journald).contains("json:\(log) says: disk full")
        }
        #expect(rename(log, "\(log).1") == 0)
        try append(#"{"level":"fatal","msg":"gone"}"#)
        try Self.wait(for: "says: gone", journald)
        kill(scene.daemon.pid, SIGTERM)
        #expect(try scene.daemon.end() == 0)
        #expect(try !Self.said(journald).contains { $0.contains("says: old") || $0.contains("says: sold") })
    }

    @Test("A kind of source of its own is read as the others are")
    func ownKind() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("memory.pressure")
        func set(_ percent: String) throws {
            try "some avg10=\(percent) avg60=0.00 avg300=0.00 total=1\n".write(
                toFile: file,
                atomically: true,
                encoding: .utf8
            )
        }
        try set("0.00")
        let scene = try Scene("unit = any.service\nalso = pressure:\(file)")
        defer { scene.journald.stop() }
        #expect(try Self.next(scene).first == "READY=1")
        try set("35.50")
        try Self.wait(for: "pressure:\(file) says: programs wait for 35.5 % of the time", scene.journald)
        try "nonsense".write(toFile: file, atomically: true, encoding: .utf8)
        try Self.wait(for: "is not of the form", scene.journald)
        kill(scene.daemon.pid, SIGTERM)
        #expect(try scene.daemon.end() == 0)
    }

    @Test(
        "Errors in another machine's journal are passed on",
        .enabled(if: TestGateway.isAvailable, Comment(rawValue: TestGateway.hint))
    )
    func remote() throws {
        let other = try PrivateJournald(fileSize: "8M")
        defer { other.stop() }
        let gateway = try TestGateway(other.files)
        let scene = try Scene("unit = any.service\nalso = http://127.0.0.1:\(gateway.port)")
        defer { scene.journald.stop() }
        #expect(try Self.next(scene).first == "READY=1")
        try Deadline.wait("it to follow the other journal") {
            try Self.fail("far.service", "gone", other)
            return try Self.said(scene.journald).contains("http://127.0.0.1:\(gateway.port) says: gone")
        }
        kill(scene.daemon.pid, SIGTERM)
        #expect(try scene.daemon.end() == 0)
    }

    @Test(
        "Errors are forwarded, each once, also those from while it did not run",
        .enabled(if: Command.exists("/usr/sbin/nats-server"), "needs nats-server")
    )
    func forwarded() async throws {
        let nats = try await NATSScene()
        try await nats.makeStream("ERRORS", of: "errors.>")
        let folder = try TemporaryFolder()
        let forward = "forward = \(nats.server.url) errors.a\nplace = \(folder.path("place"))"
        let scene = try Scene("unit = any.service\n\(forward)")
        defer { scene.journald.stop() }
        func wait(until count: Int) async throws {
            while try nats.stored("errors.a").count < count, !RunLimit.isOver {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try nats.stored("errors.a") == (0..<count).map { "number \($0)" })
        }
        #expect(try Self.next(scene).first == "READY=1")
        for number in 0..<5 { try Self.fail("any.service", "number \(number)", scene.journald) }
        try Self.fail("other.service", "of another unit", scene.journald)
        try await wait(until: 5)
        kill(scene.daemon.pid, SIGTERM)
        #expect(try scene.daemon.end() == 0)

        for number in 5..<10 { try Self.fail("any.service", "number \(number)", scene.journald) }
        let again = try Probe(Probe.folder + "/unitwatch", [scene.file], environment: [:])
        for number in 10..<15 { try Self.fail("any.service", "number \(number)", scene.journald) }
        try await wait(until: 15)
        kill(again.pid, SIGTERM)
        #expect(try again.end() == 0)
    }

    @Test("A burst of errors is reported once in a while")
    func throttled() throws {
        let scene = try Scene("unit = loud.service\npause = 1000\nsummary = *:*:0/1")
        defer { scene.journald.stop() }
        let (journald, daemon) = (scene.journald, scene.daemon)
        _ = try Self.next(scene)
        // Numbered, because the daemon counts errors from the first one that it heard.
        var sent = 0
        var heard: String?
        try Deadline.wait("it to follow the journal") {
            try Self.fail("loud.service", "first \(sent)", journald)
            sent += 1
            heard = try Self.said(journald).first { $0.contains("says: first") }
            return heard != nil
        }
        let first = try #require(heard.flatMap { Int($0.split(separator: " ").last ?? "") })
        for number in 0..<100 { try Self.fail("loud.service", "number \(number)", journald) }
        // Every second it reports how many it has read.
        var counted = 0
        try Deadline.wait("it to read all of them, not only \(counted)") {
            let summaries = try Self.said(journald).filter { $0.hasSuffix(" errors since the last summary") }
            counted = summaries.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }.reduce(0, +)
            return counted >= sent - first + 100
        }
        #expect(counted == sent - first + 100)
        kill(daemon.pid, SIGTERM)
        #expect(try daemon.end() == 0)
        #expect(try Self.said(journald).filter { $0.contains("says:") } == ["loud.service says: first \(first)"])
    }

    @Test("Asked a second time, it ends at once, as by the signal, even if the orderly end still waits")
    func forced() throws {
        // It waits for half a second. On a busy machine it may not hear the second signal in that time.
        let isEnded = try Attempts.of(true) { _ in
            let scene = try Scene("unit = first.service")
            defer { scene.journald.stop() }
            let daemon = scene.daemon
            _ = try Self.next(scene)
            // It notifies a receiver that does not read that it is stopping.
            let manager = ServiceManager(socket: scene.receiver.name, patience: .zero)
            #expect(throws: NotifyError.self) {
                while true { try manager.notify(.status("busy")) }
            }
            // Both signals are pending when it continues.
            kill(daemon.pid, SIGSTOP)
            kill(daemon.pid, SIGTERM)
            kill(daemon.pid, SIGINT)
            kill(daemon.pid, SIGCONT)
            return [-SIGTERM, -SIGINT].contains(try daemon.end())
        }
        #expect(isEnded)
    }

    @Test("Clients of its tap hear an error, but not the command line")
    func tapped() throws {
        let folder = try TemporaryFolder()
        let scene = try Scene("unit = first.service\npause = 0", environment: ["RUNTIME_DIRECTORY": folder.path])
        defer { scene.journald.stop() }
        _ = try Self.next(scene)
        let tap = try TapConversation(folder.path("unitwatch.tap"))
        try tap.watch(
            filter: #"topic == "configuration.loaded" || topic == "unit.failed" && value.unit == "first.service""#
        )
        let configuration = try #require(try tap.next())
        #expect(configuration["topic"] as? String == "configuration.loaded")
        // The kept value has arrived, so values posted from now on arrive, too.
        try Deadline.wait("it to follow the journal") {
            try Self.fail("first.service", "broken pipe", scene.journald)
            return try Self.said(scene.journald).contains("first.service says: broken pipe")
        }
        let event = try #require(try tap.next())
        let value = try #require(event["value"] as? [String: Any])
        #expect(event["topic"] as? String == "unit.failed")
        #expect((event["origin"] as? String)?.hasPrefix("unitwatch/UnitWatch.swift:") == true)
        #expect(value["message"] as? String == "broken pipe")
        #expect(value["commandLine"] as? String == "<redacted>")
        kill(scene.daemon.pid, SIGTERM)
        // The process may or may not report the end of the watch before it ends.
        while try tap.next() != nil {}
        #expect(try scene.daemon.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("unitwatch.tap")))
    }

    @Test("An error is reported and sets the exit status")
    func wrong() throws {
        let none = try Probe(Probe.folder + "/unitwatch", ["/nowhere.conf"])
        #expect(try none.end() == 1)
        #expect(none.said.hasPrefix("unitwatch: cannot read /nowhere.conf"))
        #expect(try Probe(Probe.folder + "/unitwatch", []).end() == 2)
    }
}
