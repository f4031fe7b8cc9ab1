import Bus
import BusTesting
import Foundation
import JournalBridge
import TestSupport
import Testing

@Suite("An export stream whose observer pauses")
struct JournalExportPausingTests {
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Examples/sample.export").standardized.path

    let thread = SeenThread()
    let read = Heard<String>()

    private func cursors() -> some Signal<String, JournalExportError> {
        Signals.journalExport(path: Self.sample)
            .compactMap { $0.entry?.cursor }
            .on(next: { [thread, read] in
                thread.note()
                read.append($0)
            })
    }

    private func waitUntilParked() throws {
        try NewsBoard().waitOrThrow("the reader to be parked") { thread.isParked }
    }

    @Test("the reader is parked, keeps its place, resumes, and loses nothing")
    func pauses() throws {
        let all = Recorder(Signals.journalExport(path: Self.sample).compactMap { $0.entry?.cursor })
        all.waitForEnd()
        // Values are taken out of the queue only when the time advances.
        let time = TestScheduler()
        let recorder = Recorder(cursors().deliver(on: time, limit: 4))
        try waitUntilParked()
        #expect(read.values == Array(all.values.prefix(4)))
        #expect(recorder.values.isEmpty)
        try NewsBoard().waitOrThrow("the rest") {
            time.advance(by: .milliseconds(1))
            return recorder.hasEnded
        }
        #expect(recorder.values == all.values && recorder.lost == 0 && recorder.violations == [])
        #expect(read.values == all.values)
    }

    @Test("disposed of while it is parked, it ends, and nothing is kept")
    func disposal() throws {
        let time = TestScheduler()
        let alive = Alive()
        do {
            let token = alive.token()
            let signal = cursors().on(next: { _ in token.sing() }).deliver(on: time, limit: 4)
            let recorder = Recorder(signal)
            try waitUntilParked()
            recorder.dispose()
            #expect(recorder.events.isEmpty && recorder.eventsAfterDisposal == 0)
        }
        try NewsBoard().waitOrThrow("the reader's thread to end") { thread.hasEnded }
        alive.waitForNone()
        #expect(read.values.count == 4)
        // The pending drain keeps the scheduler.
        time.advance()
    }
}
