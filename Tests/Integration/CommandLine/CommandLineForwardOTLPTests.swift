import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
    "busctl-rx forward sends each entry to an OpenTelemetry receiver at least once",
    .serialized,
    .enabled(
        if: !OTLPReceiver.python.isEmpty && dlopen("libcurl.so.4", RTLD_LAZY) != nil
            && dlopen("libdeflate.so.0", RTLD_LAZY) != nil,
        "needs python3, libcurl4 and libdeflate0"
    )
)
struct CommandLineForwardOTLPTests {
    private let folder: TemporaryFolder
    private var cursorFile: String { folder.path("cursor") }
    private var refused: String { folder.path("cursor.refused") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func journal(_ numbers: ClosedRange<Int>) throws -> GrowingJournal {
        var journal = try GrowingJournal(folder.path("a.journal"))
        try journal.append(numbers)
        return journal
    }

    private func forward(
        _ receiver: OTLPReceiver,
        _ more: String...,
        environment: [String: String] = [:]
    ) throws -> TailProcess {
        try TailProcess(
            ["forward", "--to", "otlp+http://127.0.0.1:\(receiver.port)", "--cursor-file", cursorFile]
                + ["--from", "file:\(folder.path("a.journal"))"] + more,
            environment: environment.merging(["LANG": "C", "TZ": "UTC"]) { own, _ in own }
        )
    }

    /// The numbers of the entries in a receiver, in its order.
    private func numbers(_ receiver: OTLPReceiver) throws -> [Int] {
        try receiver.cursors().map { try number($0) }
    }

    private func number(_ cursor: String) throws -> Int {
        let part = cursor.split(separator: ";").first { $0.hasPrefix("i=") }
        return try #require(part.flatMap { Int($0.dropFirst(2), radix: 16) })
    }

    private func saved() throws -> Int { try number(String(contentsOfFile: cursorFile, encoding: .utf8)) }

    @Test("a whole journal, and what a filter chooses; the place moves on with what it does not")
    func stores() throws {
        let receiver = try OTLPReceiver()
        _ = try journal(1...3000)
        #expect(try forward(receiver, "--no-follow").end() == .init(status: 0, output: "", errors: ""))
        #expect(try numbers(receiver).sorted() == Array(1...3000))
        #expect(receiver.log.count < 12, "\(receiver.log.count)")
        unlink(cursorFile)
        let chosen = try OTLPReceiver()
        #expect(try forward(chosen, "--no-follow", "message == '1500'").end().status == 0)
        #expect(try numbers(chosen) == [1500] && saved() == 3000)
        #expect(try forward(chosen, "--no-follow", "message == '1500'").end().status == 1)
    }

    @Test("killed at random moments, nothing is lost")
    func killed() throws {
        let receiver = try OTLPReceiver()
        let count = Stress.rounds(20_000, stress: 400_000)
        _ = try journal(1...count)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<Stress.rounds(6, stress: 200) {
            let process = try forward(receiver)
            process.keepWaiting(seconds: .random(in: 0...0.5, using: &generator))
            process.send(SIGKILL)
            _ = try process.end()
        }
        #expect(try forward(receiver, "--no-follow").end().errors == "")
        #expect(try Set(numbers(receiver)) == Set(1...count) && saved() == count)
    }

    @Test("a receiver that is killed is waited for, and told of once")
    func receiverKilled() throws {
        let first = try OTLPReceiver()
        var journal = try journal(1...100)
        let process = try forward(first, "--stats")
        try process.wait("the first entries to be stored") { try numbers(first).count == 100 }
        first.stop()
        try journal.append(101...200)
        try process.wait(forErrors: "waiting for it\n")
        let second = try OTLPReceiver([], ["port": first.port])
        try process.wait("the others to be stored") { try Set(101...200).isSubset(of: numbers(second)) }
        process.send(SIGUSR1)
        try process.wait(forErrors: "stored=")
        process.send(SIGTERM)
        let end = try process.end()
        #expect(end.status == -SIGTERM && end.errors.ranges(of: "waiting for it\n").count == 1, "\(end)")
        #expect(!end.errors.contains("failures=0") && end.errors.contains("last=2023-11-14T"), "\(end)")
        #expect(try saved() == 200)
    }

    @Test("what is refused is kept and counted, and the others are stored")
    func refusing() throws {
        let receiver = try OTLPReceiver(["429 0", "503"], ["poison": ["42", "77"], "status": "400"])
        _ = try journal(1...500)
        let end = try forward(receiver, "--no-follow").end()
        #expect(
            end.status == 0 && end.errors.contains("400: no such tenant; 2 refused records are kept in \(refused)"),
            "\(end)"
        )
        #expect(end.errors.contains("retries=2 refused=2 rejected=0"), "\(end)")
        #expect(try Set(numbers(receiver)) == Set(1...500).subtracting([42, 77]))
        let letters = try String(contentsOfFile: refused, encoding: .utf8).split(separator: "\n")
        #expect(letters.count == 2 && letters.allSatisfy { $0.contains("\"reason\":") })
    }

    @Test("where neither the place nor refused records can be written, it ends, and nothing moves on")
    func full() throws {
        let receiver = try OTLPReceiver(["400"], ["poison": ["1"], "status": "400"])
        _ = try journal(1...1)
        let letters = try forward(receiver, "--no-follow", "--refused-to", "/dev/full").end()
        #expect(
            letters.status == 3 && letters.errors.contains("cannot write refused records to /dev/full: "),
            "\(letters)"
        )
        #expect(!FileManager.default.fileExists(atPath: cursorFile))
        let taking = try OTLPReceiver()
        let place = try TailProcess(
            ["forward", "--to", "otlp+http://127.0.0.1:\(taking.port)", "--cursor-file", folder.path("none/cursor")]
                + ["--from", "file:\(folder.path("a.journal"))"]
        ).end()
        #expect(place.status == 3 && place.errors.contains("cannot save the place in the cursor file"), "\(place)")
        #expect(place.errors.split(separator: "\n").count == 1, "\(place)")
    }

    @Test("a proxy of the environment is used, and one of the address in its place")
    func proxy() throws {
        let (proxy, receiver) = (try OTLPReceiver(), try OTLPReceiver())
        _ = try journal(1...10)
        let variable = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
        #expect(try forward(receiver, "--no-follow", environment: variable).end().status == 0)
        #expect(try numbers(proxy).count == 10 && numbers(receiver) == [])
        #expect(proxy.log.allSatisfy { $0[4] == "http://127.0.0.1:\(receiver.port)/v1/logs" }, "\(proxy.log)")
        unlink(cursorFile)
        let none = variable.merging(["no_proxy": "127.0.0.1"]) { own, _ in own }
        #expect(try forward(receiver, "--no-follow", environment: none).end().status == 0)
        #expect(try numbers(receiver).count == 10)
    }

    @Test("the service manager is told when it is ready, how it goes, and that it lives")
    func supervised() throws {
        let receiver = try OTLPReceiver()
        _ = try journal(1...10)
        let manager = try DatagramReceiver(name: folder.path("notify"))
        let process = try forward(
            receiver,
            environment: ["NOTIFY_SOCKET": folder.path("notify"), "WATCHDOG_USEC": "4000000"]
        )
        var heard: [String] = []
        try process.wait("its notifications") {
            heard += try manager.receiveAll().flatMap(\.lines)
            return heard.contains("READY=1") && heard.contains("WATCHDOG=1")
                && heard.contains { $0.hasPrefix("STATUS=10 stored, ") && $0.hasSuffix(", nothing waits") }
        }
        process.send(SIGTERM)
        #expect(try process.end().errors == "")
    }
}
