import Bus
import BusTesting
import Records
import TestSupport
import Testing

@testable import RecordSources

@Suite("The newest records that are there at first")
struct KeepNewestTests {
    @Test("no more than 64 MiB of them are kept, and a gap says how many are left out", arguments: [false, true])
    func newest(_ isReversed: Bool) {
        let records = (0..<100).map {
            Record(
                source: "x",
                time: RecordTime(microseconds: Int64($0)),
                sequence: UInt64($0),
                content: SizedContent(footprint: 8 << 20)
            )
        }
        let recorder = Recorder(
            Signals.from(records.map { RecordItem.record($0) } + [.caughtUp]).promoteFailure(to: SourceFailure.self)
                .transduced(by: KeepNewest(count: 20, isReversed: isReversed))
        )
        let sent = recorder.values.compactMap { item -> String? in
            guard case .record(let record) = item else { return nil }
            if case .gap(let lost) = record.kind { return "\(lost ?? 0) missing" }
            return "\(record.time.microseconds)"
        }
        let expected = ["12 missing"] + (92..<100).map { "\($0)" }
        #expect(sent == (isReversed ? expected.reversed() : expected))
    }
}
