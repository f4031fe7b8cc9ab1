import Bus
import BusTesting
import Filter
import Foundation
import JournalBridge
import SystemPackage
import TestSupport
import Testing

@Suite("An export stream as a signal")
struct JournalExportSignalTests {
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Examples/sample.export").standardized.path

    @Test func yieldsTheEntriesThatTheFilterSelects() throws {
        let schema = JournalSchema()
        let filter = try CompiledFilter(#"unit == "report-export.service""#, schema: schema)
        let signal = Signals.journalExport(path: Self.sample, query: JournalQuery(filter, schema: schema))
        let recorder = Recorder(
            signal.compactMap { $0.entry?["_PID"] }.mapError { TestFailure(stringLiteral: "\($0)") }
        )
        recorder.waitForEnd()
        // Entries of systemd about the unit belong to it, too.
        #expect(recorder.events == [.next("1"), .next("1402"), .next("1"), .next("1402"), .completed])
        #expect(recorder.violations == [])
    }

    @Test("from a descriptor, which stays open")
    func descriptor() throws {
        let pipe = try TestPipe()
        try pipe.send("MESSAGE=one\n\nMESSAGE=two\n\n")
        try pipe.writing.close()
        let recorder = Recorder(
            Signals.journalExport(from: pipe.reading).compactMap { $0.entry?["MESSAGE"] }
                .mapError { TestFailure(stringLiteral: "\($0)") }
        )
        recorder.waitForEnd()
        #expect(recorder.events == [.next("one"), .next("two"), .completed])
        // It is still the caller's.
        try pipe.reading.close()
    }

    @Test func failsOnAFileThatIsNotThere() {
        let recorder = Recorder(
            Signals.journalExport(path: "/nowhere").mapError { TestFailure(stringLiteral: "\($0)") }
        )
        recorder.waitForEnd()
        #expect(recorder.events.map(\.description) == ["failed(cannot open /nowhere: No such file or directory)"])
    }

    @Test func endsWhenEnoughCame() {
        let signal = Signals.journalExport(path: Self.sample).compactMap { $0.entry }.take(first: 3)
        let recorder = Recorder(signal)
        recorder.waitForEnd()
        #expect(recorder.values.count == 3)
    }
}
