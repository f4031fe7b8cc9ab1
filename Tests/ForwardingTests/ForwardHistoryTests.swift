import RecordSources
import Testing

@testable import Forwarding

@Suite("The places to which a forwarder can go back")
struct ForwardHistoryTests {
    /// With a mark for every 256 messages.
    private func history(of count: UInt64) -> ForwardHistory {
        var history = ForwardHistory(beginning: "start")
        for number in 1...count { history.add(ForwardMark(sequence: 256 * number, cursor: "\(number)")) }
        return history
    }

    @Test("few are kept, the newest and the oldest among them, and going back goes little further than it must")
    func bounds() {
        for count: UInt64 in [1, 5, 31, 32, 33, 1000, 50_000] {
            let marks = history(of: count).marks
            #expect(marks.count == min(Int(count) + 1, ForwardHistory.maxCount))
            #expect(marks.first == ForwardMark(sequence: 0, cursor: "start"))
            #expect(marks.last?.sequence == 256 * count)
            // So many messages are lost: all behind a mark's next older one have to be sent again.
            for (older, newer) in zip(marks, marks.dropFirst()) {
                let lost = 256 * count - newer.sequence + 1
                let again = 256 * count - older.sequence
                #expect(again <= 3 * lost + 256, "\(count) \(older) \(newer)")
            }
        }
    }

    @Test("an older mark than the newest is not added, and what is behind a mark can be forgotten")
    func order() {
        var history = history(of: 3)
        history.add(ForwardMark(sequence: 768, cursor: "again"))
        history.add(ForwardMark(sequence: 10, cursor: "older"))
        #expect(history.marks.map(\.sequence) == [0, 256, 512, 768])
        #expect(history.through(history.marks[1]).marks.map(\.sequence) == [0, 256])
    }

    @Test("they are lines of the cursor file, from the newest to the oldest")
    func text() throws {
        var place = try #require(ForwardPlace(cursor: "d", sequence: 900, made: "2026-01-01T00:00:00Z"))
        place.history = history(of: 2)
        place.mark = ForwardMark(sequence: 900, cursor: "c d")
        #expect(place.text == "d\n900\n2026-01-01T00:00:00Z\n900 c d\n512 2\n256 1\n0 start")
        func read(_ text: String) throws -> ForwardPlace {
            try ForwardPlace(
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
                path: "f"
            )
        }
        var again = place
        if let mark = place.mark { again.history.add(mark) }
        #expect(try read(place.text + "\n") == again)
        #expect(again.text == place.text && again.cursors == ["d", "start", "1", "2", "c d"])
        // The date is not known, and the number is another message's.
        var other = try #require(ForwardPlace(sequence: 7))
        other.history = ForwardHistory(beginning: nil)
        #expect(other.text == "\n7\n\n0 ")
        #expect(try read(other.text + "\n") == other)
    }

    @Test(
        "a line that is none is named",
        arguments: ["x c", "900", "900 c\n900 c", "901 c", "5 c\n6 c", "-1 c"]
    )
    func flaw(lines: String) {
        let text = "d\n900\n\n" + lines
        let failure = #expect(throws: CursorFileError.self) {
            try ForwardPlace(
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
                path: "f"
            )
        }
        #expect(failure?.description.hasPrefix("the cursor file f, line ") == true)
    }

    @Test("a run notes a mark now and then, and never one with the number of an entry that comes later")
    func progress() throws {
        var base = try #require(ForwardPlace(sequence: 0))
        base.history = ForwardHistory(beginning: nil)
        var progress = ForwardProgress(ForwardBeginning(base, known: ["2": 9]), maxEntries: 8)
        let first = progress.finish(progress.begin("1", size: 1).number, stored: 20)?.place
        #expect(first?.cursor == "1" && first?.mark == nil)
        let second = progress.finish(progress.begin("2", size: 1).number, stored: 9)?.place
        #expect(second?.mark == ForwardMark(sequence: 20, cursor: "1"))
        for number in 3...1000 {
            let place = progress.finish(progress.begin("\(number)", size: 1).number, stored: UInt64(number + 18))?.place
            #expect(place?.mark?.cursor == "\(number)")
        }
        #expect(progress.place.history.marks.map(\.cursor) == [nil, "257", "513", "769"])
    }

    @Test("an id is read from the headers of a message, whatever stands beside it")
    func id() {
        // NATS/1.0, Nats-Msg-Id: s=1;i=2
        #expect(JetStreamCheck.id(in: "TkFUUy8xLjANCk5hdHMtTXNnLUlkOiBzPTE7aT0yDQoNCg==") == "s=1;i=2")
        // NATS/1.0, A: b, Nats-Msg-Id:x
        #expect(JetStreamCheck.id(in: "TkFUUy8xLjANCkE6IGINCk5hdHMtTXNnLUlkOngNCg0K") == "x")
        for other in ["", "TkFUUy8xLjANCg0K", "%"] { #expect(JetStreamCheck.id(in: other) == nil) }
    }
}
