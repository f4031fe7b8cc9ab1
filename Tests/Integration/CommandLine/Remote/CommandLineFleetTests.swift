import Foundation
import TestSupport
import Testing

@Suite(
    "busctl-rx tail shows the journals of fifty machines as one",
    .enabled(if: Command.exists("/usr/bin/curl"), "needs curl: apt-get install curl")
)
struct CommandLineFleetTests {
    private static let hosts = 50

    private func entry(_ number: Int, of host: Int) -> String {
        let id = String(format: "%032x", host + 1)
        let time = number * Self.hosts + host
        return """
            __CURSOR=s=\(id);i=\(String(number, radix: 16));b=\(SyntheticJournal.boot);m=1;t=1;x=\(number)
            __REALTIME_TIMESTAMP=\(time)
            _HOSTNAME=h\(host)
            PRIORITY=6
            SYSLOG_IDENTIFIER=app
            MESSAGE=\(host) \(number)


            """
    }

    private func entries(_ numbers: ClosedRange<Int>, of host: Int) -> String {
        numbers.map { entry($0, of: host) }.joined()
    }

    @Test("each connection is lost once: each machine's entries are shown once, in their order")
    func losses() throws {
        let count = Stress.rounds(20, stress: 4000)
        let servers = try (0..<Self.hosts).map { host in
            // Each at another place. The journal is asked for the last entry again.
            let last = 1 + host * (count - 1) / Self.hosts
            return try ScriptedServer([
                entries(1...last, of: host) + "__CURSOR=", entries(last...count, of: host),
            ])
        }
        let ended = try TailProcess.run(
            ["tail"] + servers.map(\.from) + ["--no-follow", "--reconnect", "-o", "cat"],
            environment: RemoteScene.environment
        )
        #expect(ended.status == 0)
        // A machine that is away holds up no other, so that its later entries may come after theirs.
        let numbers = Dictionary(grouping: ended.output.split(separator: "\n").map { $0.split(separator: " ") }) {
            $0[0]
        }
        .mapValues { $0.map { Int($0[1]) } }
        #expect(numbers.count == Self.hosts)
        let wrong = numbers.filter { $0.value != Array(1...count) }
        #expect(wrong.isEmpty)
        let told = ended.errors.split(separator: "\n")
        #expect(told.count { $0.contains("there was no connection for") } == Self.hosts)
        #expect(told.count { $0.hasSuffix("; trying again") } == Self.hosts)
    }
}
