import Bus
import BusTesting
import Foundation
import Glibc
import JournalBridge
import TestSupport
import Testing

@Suite("An export stream read from a FIFO")
struct JournalExportFIFOTests {
    private final class FIFO {
        let path: String
        private let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "fifo-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            path = folder.appending(path: "stream").path
            try #require(mkfifo(path, 0o600) == 0)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private let thread = SeenThread()

    private func items(of fifo: FIFO) -> some Signal<JournalItem, JournalExportError> {
        Signals.journalExport(path: fifo.path).on(next: { [thread] _ in thread.note() })
    }

    @Test("disposal ends the wait for a writer, and nothing is kept")
    func disposal() throws {
        let fifo = try FIFO()
        let alive = Alive()
        do {
            let token = alive.token()
            let recorder = Recorder(items(of: fifo).on(next: { _ in token.sing() }))
            // Printed once the file is open.
            try NewsBoard().waitOrThrow("the reader to wait") { recorder.values.count == 1 }
            recorder.dispose()
            #expect(!recorder.hasEnded && recorder.eventsAfterDisposal == 0)
        }
        try NewsBoard().waitOrThrow("the reader's thread to end") { thread.hasEnded }
        alive.waitForNone()
    }

    @Test("a writer that opens later is read to its end")
    func lateWriter() throws {
        let fifo = try FIFO()
        let recorder = Recorder(items(of: fifo).compactMap { $0.entry?["MESSAGE"] })
        try NewsBoard().waitOrThrow("a reader") {
            let writer = open(fifo.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            guard writer >= 0 else { return false }
            defer { close(writer) }
            let bytes = Array("MESSAGE=first\n\nMESSAGE=second\n\n".utf8)
            return write(writer, bytes, bytes.count) == bytes.count
        }
        recorder.waitForEnd()
        #expect(recorder.values == ["first", "second"])
        #expect(recorder.violations == [])
    }

    @Test("of two readers the one without data still waits, and can be ended")
    func twoReaders() throws {
        let fifo = try FIFO()
        let read = Heard<String>()
        let recorders = (0..<2).map { _ in
            Recorder(Signals.journalExport(path: fifo.path).compactMap { $0.entry?["MESSAGE"] }.on(next: read.append))
        }
        let writer = open(fifo.path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(writer >= 0)
        defer { close(writer) }
        for number in 0..<100 {
            let bytes = Array("MESSAGE=\(number)\n\n".utf8)
            try #require(write(writer, bytes, bytes.count) == bytes.count)
            try NewsBoard().waitOrThrow("the entry") { read.values.count == number + 1 }
        }
        for recorder in recorders { recorder.dispose() }
        #expect(recorders.allSatisfy { !$0.hasEnded && $0.eventsAfterDisposal == 0 })
    }
}
