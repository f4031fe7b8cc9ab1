import Foundation
import JournalBridge
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite(
    "Following a journald",
    .serialized,
    .enabled(if: PrivateJournald.isAvailable, Comment(rawValue: PrivateJournald.hint))
)
struct JournalFollowingTests {

    /// Sends `count` numbered messages from another thread as soon as `isReady`. They are large enough to cause a
    /// rotation every few hundred.
    private func send(_ count: Int, to journald: PrivateJournald, identifier: String) throws {
        let ballast = String(repeating: "x", count: 400)
        for number in 0..<count {
            try journald.send([
                ("MESSAGE", "\(number)"), ("SYSLOG_IDENTIFIER", identifier),
                ("BALLAST", "\(number)\(ballast)\(number)"), ("MORE", "\(ballast)\(number)"),
                ("MOST", "\(number)\(ballast)"),
            ])
        }
    }

    @Test(
        "thousands of messages over rotations every half megabyte all arrive, once and in order, through a filter that matched nothing yet"
    )
    func nothingIsLostOverRotations() throws {
        let journald = try PrivateJournald(fileSize: "512K")
        defer { journald.stop() }
        let count = Stress.rounds(8_000, stress: 20_000)
        let query = try JournalQuery.filter("SYSLOG_IDENTIFIER == 'rotating'")
        let reader = try JournalReader(.namespace(journald.namespace), from: .tail(10), follow: true, query: query)
        let failure = Mutex<(any Error)?>(nil)
        nonisolated(unsafe) let target = journald  // Used by the sending thread alone until it has ended.
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { try send(count, to: target, identifier: "rotating") } catch { failure.withLock { $0 = error } }
            done.signal()
        }
        var reading = Reading()
        try reading.take(from: reader) { $0.entries.count >= count }
        done.wait()
        #expect(failure.withLock { $0 } == nil)
        #expect(reading.messages == (0..<count).map { "\($0)" })
        #expect(reading.gaps == [])
        // The follower received the entries that the journal has kept.
        let kept = try Reading.all(.namespace(journald.namespace), query: query)
        #expect(kept.messages == reading.messages)
        let files = try FileManager.default.contentsOfDirectory(atPath: journald.files)
        #expect(files.count > (count < 20_000 ? 5 : 70), "the journal did not rotate: \(files)")
    }

    @Test("the first burst that a filter matches arrives whole")
    func firstBurst() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        for start in [JournalStart.tail(0), .tail(10), .head] {
            let identifier = "burst-\(UUID().uuidString)"
            let query = try JournalQuery.filter("identifier == '\(identifier)' && message != ''")
            let reader = try JournalReader(.namespace(journald.namespace), from: start, follow: true, query: query)
            try send(5, to: journald, identifier: identifier)
            var reading = Reading()
            try reading.take(from: reader) { $0.entries.count >= 5 }
            #expect(reading.messages == ["0", "1", "2", "3", "4"])
        }
    }

    @Test("tail(0) begins with new entries, tail(n) with the last n that match")
    func tails() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        try send(20, to: journald, identifier: "old")
        try waitFor(20, "old", journald)
        let query = try JournalQuery.filter("identifier == 'old' && message.endsWith('3')")
        let reader = try JournalReader(.namespace(journald.namespace), from: .tail(2), follow: true, query: query)
        let fresh = try JournalReader(
            .namespace(journald.namespace),
            from: .tail(0),
            follow: true,
            query: .filter("identifier == 'old'")
        )
        try journald.send([("MESSAGE", "23"), ("SYSLOG_IDENTIFIER", "old")])
        var reading = Reading()
        try reading.take(from: reader) { $0.entries.count >= 3 }
        #expect(reading.messages == ["3", "13", "23"])
        var newest = Reading()
        try newest.take(from: fresh) { $0.entries.count >= 1 }
        #expect(newest.messages == ["23"])
    }

    @Test("a file followed by name is followed into the file that replaces it")
    func followsNames() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        let query = try JournalQuery.filter("identifier == 'named'")
        let reader = try JournalReader(
            .files([journald.files + "/system.journal"]),
            from: .tail(0),
            follow: true,
            query: query
        )
        var reading = Reading()
        // Less than fills a file in each round. The follower goes by the name and must see each file.
        for round in 1...12 {
            try send(200, to: journald, identifier: "named")
            try reading.take(from: reader) { $0.entries.count >= round * 200 }
        }
        #expect(reading.messages == (1...12).flatMap { _ in (0..<200).map { "\($0)" } })
        #expect(try FileManager.default.contentsOfDirectory(atPath: journald.files).count > 1)
    }

    @Test("a follower too slow for its journal is told of the files that were deleted before it read them")
    func deletedFiles() throws {
        let journald = try PrivateJournald(maxFiles: 2)
        defer { journald.stop() }
        let reader = try JournalReader(
            .namespace(journald.namespace),
            from: .tail(0),
            follow: true,
            query: .filter("identifier == 'fast'")
        )
        var reading = Reading()
        try send(10, to: journald, identifier: "fast")
        try reading.take(from: reader) { $0.entries.count >= 10 }
        try send(12_000, to: journald, identifier: "fast")
        // No file is deleted any more once all of them are written.
        try Deadline.wait("journald to write them") {
            let query = try JournalQuery.filter("identifier == 'fast' && MESSAGE == '11999'")
            return try Reading.all(.namespace(journald.namespace), query: query).entries.count == 1
        }
        try reading.take(from: reader) { $0.lastMessage == "11999" }
        #expect(reading.entries.count < 12_010)
        #expect(reading.gaps.map(\.reason) == [.deleted])
        let numbers = reading.messages.dropFirst(10).compactMap { Int($0) }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("a new entry can be read before journald announces it")
    func unnotified() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        let query = try JournalQuery.filter("identifier == 'unnotified'")
        let reader = try JournalReader(.namespace(journald.namespace), from: .tail(0), follow: true, query: query)
        var reading = Reading()
        for number in 1...5 {
            try journald.send([("MESSAGE", "\(number)"), ("SYSLOG_IDENTIFIER", "unnotified")])
            try waitFor(number, "unnotified", journald)
            // journald announces it 250 ms later at the earliest. It is stopped before that.
            try journald.whileStopped {
                try reading.take(from: reader) { $0.entries.count >= number }
            }
        }
        #expect(reading.messages == ["1", "2", "3", "4", "5"])
    }

    // This checks a wall-clock time, so a busy machine may make it fail.
    @Test(
        "a new entry can be read long before journald announces it",
        .enabled(if: Stress.isLong, "needs an idle machine")
    )
    func latency() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        let reader = try JournalReader(
            .namespace(journald.namespace),
            from: .tail(0),
            follow: true,
            query: .filter("identifier == 'timed'")
        )
        var reading = Reading()
        var waits: [Double] = []
        for number in 1...40 {
            let sent = Date()
            try journald.send([("MESSAGE", "\(number)"), ("SYSLOG_IDENTIFIER", "timed")])
            try reading.take(from: reader) { $0.entries.count >= number }
            waits.append(Date().timeIntervalSince(sent) * 1000)
        }
        #expect(reading.entries.count == 40)
        // journald announces it some 250 to 400 ms later.
        #expect(waits.sorted()[20] < 200)
        print("from send to read: median \(waits.sorted()[20]) ms, most \(waits.max() ?? 0) ms")
    }

    @Test("a missing namespace is an error that names the existing ones")
    func missingNamespace() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        let error = #expect(throws: JournalError.self) {
            _ = try JournalReader(.namespace("no-such-namespace"), from: .head, follow: true)
        }
        #expect(error?.errno == .noSuchFileOrDirectory)
        #expect(error?.description.contains(journald.namespace) == true)
    }

    /// Waits until this many entries can be read by any reader.
    private func waitFor(_ count: Int, _ identifier: String, _ journald: PrivateJournald) throws {
        let query = try JournalQuery.filter("identifier == '\(identifier)'")
        try Deadline.wait("\(count) entries") {
            try Reading.all(.namespace(journald.namespace), query: query).entries.count == count
        }
    }
}
