import Foundation
import TestSupport
import Testing

@Suite(
    "busctl-rx tail goes on where a connection to another machine was lost",
    .enabled(if: Command.exists("/usr/bin/curl"), "needs curl: apt-get install curl")
)
struct CommandLineRemoteLossTests {
    /// An entry that is cut off, which is a lost connection.
    private static let cut = "__CURSOR="
    private static let lossText = "the last entry before is no longer in the journal"

    /// - Parameters:
    ///   - source: the first letter of the id of the journal's file.
    ///   - time: as number, if it is `nil`.
    private func entry(_ number: Int, source: Character = "4", time: Int? = nil) -> String {
        let id = "\(source)d6a6e1c4abe4e7aa156e2f6a4108f93"
        let cursor = "s=\(id);i=\(number);b=\(SyntheticJournal.boot);m=1;t=1;x=\(number)"
        return "__CURSOR=\(cursor)\n__REALTIME_TIMESTAMP=\(time ?? number)\nMESSAGE=\(number)\n\n"
    }

    private static func lines(_ numbers: [Int]) -> String { numbers.map { "\($0)\n" }.joined() }

    private func run(_ server: ScriptedServer, _ arguments: [String] = []) throws -> TailProcess.Ended {
        try TailProcess.run(
            ["tail", server.from, "--no-follow", "-o", "cat"] + arguments,
            environment: RemoteScene.environment
        )
    }

    @Test("entries that came before the last one are not shown again, and a gap says how long there was no connection")
    func resuming() throws {
        let server = try ScriptedServer([
            entry(5) + entry(6) + Self.cut, entry(4) + entry(5) + entry(6) + entry(7) + entry(9),
        ])
        let ended = try run(server, ["--reconnect"])
        #expect(ended.output == "5\n6\n7\n9\n" && ended.status == 0)
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.first == "busctl-rx: 127.0.0.1: the output ends inside an entry; trying again")
        #expect(lines.last?.hasSuffix("; what was written meanwhile follows") == true && lines.count == 2)
    }

    @Test("the old entries of a machine that was down have no gap before them")
    func lateStart() throws {
        let server = try ScriptedServer([Self.cut, entry(5)])
        let ended = try run(server, ["--reconnect"])
        #expect(ended.output == "5\n" && ended.errors.hasSuffix("; trying again\n"))
    }

    @Test(
        "a missing last entry is a gap while the old entries are read, too",
        arguments: [[19], []]
    )
    func missing(_ rest: [Int]) throws {
        let server = try ScriptedServer([entry(5) + entry(6) + Self.cut, rest.map { entry($0) }.joined()])
        let ended = try run(server, ["--reconnect"])
        #expect(ended.output == Self.lines([5, 6] + rest))
        #expect(ended.errors.contains("there was no connection for") && ended.errors.contains(Self.lossText))
    }

    @Test("another entry of the same microsecond that comes before the last one is no loss, and is not shown again")
    func sameTime() throws {
        let other = entry(3, source: "5", time: 6)
        let server = try ScriptedServer([
            other + entry(6) + Self.cut, other + entry(6) + entry(7) + Self.cut, entry(7) + entry(8),
        ])
        let ended = try run(server, ["--reconnect"])
        #expect(ended.output == "3\n6\n7\n8\n" && !ended.errors.contains(Self.lossText))
    }

    @Test("entries of the same microsecond follow the gap if the last entry is missing", arguments: [[8], []])
    func sameTimeMissing(_ rest: [Int]) throws {
        let other = entry(3, source: "5", time: 6)
        let server = try ScriptedServer([
            entry(6) + Self.cut, other + rest.map { entry($0) }.joined(),
        ])
        let ended = try run(server, ["--reconnect"])
        #expect(ended.output == Self.lines([6, 3] + rest) && ended.errors.contains(Self.lossText))
    }

    @Test("more entries than can be held back are shown after the gap")
    func manyAtOneTime() throws {
        let others = (0..<1100).map { entry($0, source: "5", time: 6) }
        let server = try ScriptedServer([entry(6) + Self.cut, others.joined()])
        let ended = try run(server, ["--reconnect"])
        #expect(ended.output == Self.lines([6] + (0..<1100)) && ended.errors.contains(Self.lossText))
    }

    @Test("an entry that is cut off at the end of an answer without a length is not shown, and is an error")
    func cutOff() throws {
        let server = try ScriptedServer([entry(5) + "\(Self.cut)s=1\nMESSAGE=half\n"])
        let ended = try run(server)
        #expect(ended.output == "5\n" && ended.status == 3)
        #expect(ended.errors == "busctl-rx: 127.0.0.1: the output ends inside an entry\n")
    }

    @Test("a cursor with other characters than journald's is not asked for")
    func strangeCursor() throws {
        for cursor in [";z='$(reboot)'", String(repeating: ";z=1", count: 64)] {
            let server = try ScriptedServer([entry(5).replacing("\n__REAL", with: "\(cursor)\n__REAL") + Self.cut])
            let ended = try run(server, ["--reconnect"])
            #expect(ended.output == "5\n" && ended.status == 3)
            #expect(ended.errors.contains("127.0.0.1: the server sent an invalid cursor, which begins with"))
        }
    }

    @Test("with -S the whole journal is read if no window reaches back far enough")
    func windows() throws {
        let server = try ScriptedServer(Array(repeating: entry(5), count: 6))
        let ended = try run(server, ["-S", "@0.000001"])
        #expect(ended.output == "5\n" && ended.status == 0)
        let ranges = server.requests.map { $0.contains("Range: ") }
        #expect(ranges == [true, true, true, true, true, false])
    }

    @Test("the filter's statistics count each entry of a server once")
    func statistics() throws {
        let server = try ScriptedServer([(1...300).map { entry($0) }.joined()])
        let ended = try run(server, ["-n", "1", "--filter-stats", "message == '7'"])
        #expect(ended.output == "7\n" && ended.errors.contains("was true for 1 entries, false for 299"))
        #expect(server.requests.count == 1)
    }

    @Test("a machine of which nothing can be selected is not asked")
    func nothing() throws {
        let words = ["--from=http://127.0.0.1:1", "source == 'web-2'"]
        let ended = try TailProcess.run(["tail", "--no-follow"] + words, environment: RemoteScene.environment)
        #expect(ended.status == 1 && ended.output.isEmpty && ended.errors.isEmpty)
        let following = try TailProcess(
            ["tail", "--label=web-2=every:10ms"] + words,
            environment: RemoteScene.environment
        )
        try following.wait(forOutput: "tick 1")
        #expect(try following.interrupt().status == -SIGTERM)
        let explained = try TailProcess.run(["explain"] + words)
        #expect(explained.output.hasSuffix("Asked of 127.0.0.1: nothing\n"))
    }
}
