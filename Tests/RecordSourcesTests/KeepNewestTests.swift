import Bus
import BusTesting
import Records
import SystemPackage
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
            Signals.from(records.map { RecordItem.record($0) } + [.caughtUp]).promoteFailure(to: SourceError.self)
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

    @Test("the place behind them is told when they have been sent")
    func place() {
        let items = (1...3).flatMap { number -> [RecordItem] in
            [
                .record(Record(source: "x", time: .now, sequence: UInt64(number), content: SizedContent(footprint: 1))),
                .place("\(number)"),
            ]
        }
        let recorder = Recorder(
            Signals.from(items + [.caughtUp, .place("4")]).promoteFailure(to: SourceError.self)
                .transduced(by: KeepNewest(count: 2))
        )
        let sent = recorder.values.map { item -> String in
            switch item {
            case .record(let record): "\(record.sequence)"
            case .place(let place): "place \(place)"
            case .caughtUp: "caught up"
            }
        }
        #expect(sent == ["2", "3", "place 3", "caught up", "place 4"])
    }

    @Test("the newest are sent when the time has come until which standard input is read")
    func end() {
        let input = Subject(of: RecordItem.self, failure: SourceError.self)
        let end = Subject(of: Void.self)
        var request = SourceRequest(name: "x")
        request.start = .last(2)
        request.end = end.eraseToAnySignal()
        let recorder = Recorder(input.newest(request, isLive: true))
        for number in 1...UInt64(3) {
            input.send(
                .record(Record(source: "x", time: .now, sequence: number, content: SizedContent(footprint: 1)))
            )
        }
        #expect(recorder.values.isEmpty)
        end.send(())
        let sent = recorder.values.map { if case .record(let record) = $0 { Int(record.sequence) } else { 0 } }
        #expect(sent == [2, 3])
        #expect(recorder.hasEnded)
    }

    @Test("a keeper may be asked to save where it reports that it cannot")
    func savedInReport() throws {
        let folder = try TestFolder()
        let messages = Heard<String>()
        let keeper = Lock<PlaceKeeper?>(nil)
        let made = PlaceKeeper(CursorFile(path: folder.file("missing/place").string)) { message in
            messages.append(message)
            if let message = keeper.withLock({ $0 })?.finish() { messages.append(message) }
        }
        keeper.withLock { $0 = made }
        made.note("1")
        made.save()
        #expect(messages.values.count == 2 && Set(messages.values).count == 1)
        keeper.withLock { $0 = nil }
    }
}
