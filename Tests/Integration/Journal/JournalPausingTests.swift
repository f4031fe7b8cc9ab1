import Bus
import BusTesting
import Foundation
import JournalBridge
import TestSupport
import Testing

@Suite(
    "Following a journal with an observer that pauses",
    .serialized,
    .enabled(
        if: PrivateJournald.isAvailable && SyntheticJournal.isAvailable,
        Comment(rawValue: "\(PrivateJournald.hint); \(SyntheticJournal.hint)")
    )
)
struct JournalPausingTests {
    let thread = SeenThread()
    let read = Heard<String>()
    /// Values are taken out of the queue only when this advances.
    let time = TestScheduler()

    private func follow(_ source: JournalSource, _ filter: String, from start: JournalStart) throws
        -> Recorder<String, JournalError>
    {
        let messages = try Signals.journal(source, from: start, query: .filter(filter))
            .compactMap { $0.entry?["MESSAGE"] }
            .on(next: { [thread, read] in
                thread.note()
                read.append($0)
            })
        return Recorder(messages.deliver(on: time, limit: 8))
    }

    private func waitUntilParked() throws {
        try Deadline.wait("the reader to be parked, with \(read.values.count) entries read") { thread.isParked }
    }

    @Test("entries written over rotations while the reader is parked arrive when it resumes, once and in order")
    func rotations() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        let ballast = String(repeating: "x", count: 400)
        func send(_ numbers: Range<Int>) throws {
            for number in numbers {
                try journald.send([
                    ("MESSAGE", "\(number)"), ("SYSLOG_IDENTIFIER", "paused"),
                    ("BALLAST", "\(number)\(ballast)\(number)"),
                ])
            }
        }
        try send(0..<20)
        let recorder = try follow(.namespace(journald.namespace), "identifier == 'paused'", from: .head)
        defer { recorder.dispose() }
        try waitUntilParked()
        #expect(read.values.count == 8 && recorder.values.isEmpty)
        let count = 4_000
        try send(20..<count)
        try Deadline.wait("journald to write them") {
            let query = try JournalQuery.filter("identifier == 'paused' && MESSAGE == '\(count - 1)'")
            return try Reading.all(.namespace(journald.namespace), query: query).entries.count == 1
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: journald.files).count > 2)
        #expect(thread.isParked && read.values.count == 8)
        try Deadline.wait("all of them, not only \(recorder.valueCount)") {
            time.advance(by: .milliseconds(1))
            return recorder.valueCount >= count
        }
        #expect(recorder.values == (0..<count).map { "\($0)" })
        #expect(recorder.lost == 0)
    }

    @Test("a file created while the kernel's event queue was full is found")
    func manyNotices() throws {
        func entries(_ names: [String], _ identifier: String) -> [SyntheticJournal.Fields] {
            names.map { [("MESSAGE", Array($0.utf8)), ("SYSLOG_IDENTIFIER", Array(identifier.utf8))] }
        }
        let names = (0..<20).map { "\($0)" }
        let first = try SyntheticJournal(entries(names, "kept"))
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: first.path, toPath: folder.path("first.journal"))
        let recorder = try follow(.directory(folder.path), "identifier == 'kept'", from: .head)
        defer { recorder.dispose() }
        try waitUntilParked()
        // Twice as many events as the kernel's default queue holds: each file is one creation and one deletion.
        for number in 0..<16_384 {
            let path = folder.path("\(number)")
            close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            unlink(path)
        }
        // Its first entries are older than what was read. A reader is not told of those.
        let padding = entries((0..<40).map { "padding \($0)" }, "padding")
        let second = try SyntheticJournal(padding + entries((20..<40).map { "\($0)" }, "kept"))
        try FileManager.default.copyItem(atPath: second.path, toPath: folder.path("second.journal"))
        #expect(thread.isParked && read.values.count == 8)
        try Deadline.wait("what is in both files, not only \(recorder.values)") {
            time.advance(by: .milliseconds(1))
            return recorder.valueCount >= 40
        }
        #expect(recorder.values == (0..<40).map { "\($0)" })
    }

    @Test("a reader disposed of while parked ends, and keeps nothing")
    func disposal() throws {
        let journal = try SyntheticJournal(messages: 100)
        let alive = Alive()
        do {
            let token = alive.token()
            let recorder = Recorder(
                Signals.journal(.files([journal.path]))
                    .compactMap { $0.entry }
                    .on(next: { [thread] _ in
                        token.sing()
                        thread.note()
                    })
                    .deliver(on: time, limit: 8)
            )
            try waitUntilParked()
            recorder.dispose()
            #expect(recorder.events.isEmpty && recorder.eventsAfterDisposal == 0)
        }
        try Deadline.wait("the reader's thread to end") { thread.hasEnded }
        alive.waitForNone()
        // The pending drain keeps the scheduler.
        time.advance()
    }

    @Test("a signal that completes while its observer pauses is heard whole")
    func completion() throws {
        let journal = try SyntheticJournal(messages: 100)
        let recorder = Recorder(
            Signals.journal(.files([journal.path]), follow: false)
                .compactMap { $0.entry?["MESSAGE"] }
                .on(next: { [thread] _ in thread.note() })
                .deliver(on: time, limit: 8)
        )
        try waitUntilParked()
        try Deadline.wait("the end") {
            time.advance(by: .milliseconds(1))
            return recorder.hasEnded
        }
        #expect(recorder.values == (0..<100).map { "\($0)" })
    }
}
