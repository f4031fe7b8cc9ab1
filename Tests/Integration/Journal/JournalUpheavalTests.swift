import Foundation
import JournalBridge
import Synchronization
import TestSupport
import Testing

/// Rotation, deletion, crashes and stops of a real journald while it is followed.
@Suite(
    "Following a journald through upheavals",
    .serialized,
    .enabled(if: PrivateJournald.isAvailable, Comment(rawValue: PrivateJournald.hint))
)
struct JournalUpheavalTests {
    /// Sends numbered messages from its own thread.
    private final class Sender: Sendable {
        private let done = DispatchSemaphore(value: 0)
        private let failure = Mutex<(any Error)?>(nil)

        init(_ count: Int, to journald: PrivateJournald, between: @escaping @Sendable (Int) -> Void = { _ in }) {
            nonisolated(unsafe) let journald = journald  // Used by this thread alone until it has ended.
            Thread.detachNewThread { [self] in
                let ballast = String(repeating: "x", count: 400)
                for number in 0..<count {
                    between(number)
                    do {
                        try journald.send([
                            ("MESSAGE", "\(number)"), ("SYSLOG_IDENTIFIER", "sender"),
                            ("BALLAST", "\(number)\(ballast)\(number)"), ("MORE", "\(ballast)\(number)"),
                        ])
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
                done.signal()
            }
        }

        func wait() throws {
            done.wait()
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    private static func sequence(_ entry: JournalEntry) -> Int? {
        entry.cursor.split(separator: ";").first { $0.hasPrefix("i=") }.flatMap { Int($0.dropFirst(2), radix: 16) }
    }

    @Test(
        "when files disappear under a slow reader, exactly the unread entries are reported as missing",
        arguments: [1, 3]
    )
    func vanishingFiles(maxFiles: Int) throws {
        let journald = try PrivateJournald(fileSize: "512K", maxFiles: maxFiles)
        defer { journald.stop() }
        let count = Stress.rounds(6_000, stress: 20_000)
        let reader = try JournalReader(.namespace(journald.namespace), from: .tail(0), follow: true)
        let sender = Sender(count, to: journald)
        var reading = Reading()
        var last = 0
        try reading.take(from: reader) { reading in
            if reading.entries.count > last {
                last = reading.entries.count
                // Lets journald get ahead by a varying amount.
                if last % 50 == 0 { usleep(UInt32.random(in: 0...40_000)) }
            }
            return reading.lastMessage == "\(count - 1)"
        }
        try sender.wait()
        try check(reading, of: count)
        #expect(!reading.gaps.isEmpty)
    }

    /// - Parameter count: how many messages were sent.
    private func check(_ reading: Reading, of count: Int) throws {
        let sequences = reading.entries.compactMap(Self.sequence)
        let first = try #require(sequences.first)
        let last = try #require(sequences.last)
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 })
        let lost = reading.gaps.map(\.lost)
        let told = lost.reduce(0) { $0 + ($1 ?? 0) }
        let unread = last - first + 1 - sequences.count
        // journald sometimes uses a number for an entry that it then writes again. Once the file is erased, this can no
        // longer be detected.
        let messages = reading.entries.count { $0["SYSLOG_IDENTIFIER"] == "sender" }
        let all = (count - messages...max(unread, count - messages))
        let missing = zip(sequences, sequences.dropFirst()).map { $1 - $0 - 1 }.filter { $0 > 0 }
        #expect(
            all.contains(told) && all.count <= 1 + sequences.count / 100,
            "\(all) missing: \(missing), told: \(lost.map { $0.map(String.init) ?? "?" }.joined(separator: ", "))"
        )
    }

    @Test("through crashes of journald, the entries that it kept arrive once and in order")
    func crashes() throws {
        let journald = try PrivateJournald(fileSize: "512K")
        defer { journald.stop() }
        let reader = try JournalReader(.namespace(journald.namespace), from: .head, follow: true)
        var reading = Reading()
        for _ in 1...Stress.rounds(4, stress: 20) {
            let sender = Sender(700, to: journald)
            var seen = reading.entries.count
            var isHalfway = false
            try reading.take(from: reader) { reading in
                isHalfway = isHalfway || reading.entries[seen...].contains { $0["MESSAGE"] == "300" }
                seen = reading.entries.count
                return isHalfway
            }
            try sender.wait()
            try journald.crash()
        }
        try journald.send([("MESSAGE", "end")])
        try reading.take(from: reader) { $0.lastMessage == "end" }
        let kept = try Reading.all(.namespace(journald.namespace))
        #expect(reading.entries.map(\.cursor) == kept.entries.map(\.cursor))
        #expect(reading.gaps == [])
    }

    @Test("through stops, rotations and vacuuming, each message arrives once and in order, or is counted")
    func stopsAndVacuuming() throws {
        let journald = try PrivateJournald(fileSize: "512K")
        defer { journald.stop() }
        let count = Stress.rounds(5_000, stress: 20_000)
        let reader = try JournalReader(.namespace(journald.namespace), from: .tail(0), follow: true)
        nonisolated(unsafe) let target = journald
        let sender = Sender(count, to: journald) { number in
            if number % 700 == 100 { target.rotate() }
            if number % 1100 == 200 {
                target.whileStopped { usleep(Stress.isAsked && number == 200 ? 10_000_000 : 30_000) }
            }
            if number % 900 == 300 {
                _ = try? Command.run(
                    "/usr/bin/journalctl",
                    ["--namespace", target.namespace, "--vacuum-files=1"]
                )
            }
        }
        var reading = Reading()
        try reading.take(from: reader) { $0.lastMessage == "\(count - 1)" }
        try sender.wait()
        try check(reading, of: count)
    }

    @Test("two journald processes that write at once, followed in one directory: each message arrives once")
    func twoInOneDirectory() throws {
        let one = try PrivateJournald(fileSize: "512K")
        defer { one.stop() }
        let other = try PrivateJournald(fileSize: "512K")
        defer { other.stop() }
        let folder = try TemporaryFolder()
        for journald in [one, other] {
            let name = URL(fileURLWithPath: journald.files).lastPathComponent
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: journald.files)
        }
        let count = Stress.rounds(4_000, stress: 20_000)
        let query = try JournalQuery.filter("identifier == 'sender'")
        let reader = try JournalReader(.directory(folder.path), from: .tail(0), follow: true, query: query)
        let senders = [Sender(count, to: one), Sender(count, to: other)]
        var reading = Reading()
        var ends = 0
        var seen = 0
        try reading.take(from: reader) { reading in
            for entry in reading.entries[seen...] where entry["MESSAGE"] == "\(count - 1)" { ends += 1 }
            seen = reading.entries.count
            return ends == 2
        }
        for sender in senders { try sender.wait() }
        let bySource = Dictionary(grouping: reading.entries) { $0.cursor.prefix(34) }
        #expect(bySource.count == 2)
        for entries in bySource.values {
            #expect(entries.compactMap { $0["MESSAGE"] } == (0..<count).map { "\($0)" })
        }
        #expect(reading.gaps == [])
    }
}
