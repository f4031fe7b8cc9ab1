import Bus
import BusTesting
import Filter
import Foundation
import JournalBridge
import JournalWriter
import Records
import SystemPackage
import Terminal
import TestSupport
import Testing

@testable import busctl_rx

/// The model of `explore` without a terminal, and what its screen shows.
@Suite("explore, its model")
struct ExploreModelTests {
    /// A model that was begun, and what it asked.
    private final class Bench {
        var model: ExploreModel
        var asked: [ExploreModel.Effect] = []

        init(
            filter: String = "",
            window: ClosedRange<Int64>? = nil,
            columns: Int = 80,
            rows: Int = 24,
            follows: Bool = false
        ) {
            model = ExploreModel(
                title: "journal",
                sourceWords: ["--directory", "/a b"],
                facets: ["unit", "priority"],
                query: ExploreQuery(filter: filter, window: window),
                times: 1_700_000_000_000_000...1_700_000_100_000_000,
                follows: follows
            ) { text in
                if text.allSatisfy(\.isWhitespace) { return nil }
                do throws(FilterError) {
                    _ = try CompiledFilter(text, schema: JournalSchema())
                    return nil
                } catch {
                    return error
                }
            }
            asked = model.begin(columns: columns, rows: rows)
        }

        func step(_ event: ExploreModel.Event) { asked += model.step(event) }

        func type(_ text: String) { for character in text { step(.screen(.text(character))) } }

        func press(_ key: Key) { step(.screen(.key(key))) }

        /// The number of the last question for records, and of the last one for counts.
        var reading: Int {
            asked.reversed().lazy.compactMap { if case .read(_, _, _, let number) = $0 { number } else { nil } }.first
                ?? 0
        }
        var counting: Int {
            asked.reversed().lazy.compactMap { if case .count(_, _, let number) = $0 { number } else { nil } }.first
                ?? 0
        }

        /// Answers the last questions with these records.
        ///
        /// - Parameter isEnd: whether there are no older ones.
        func answer(_ records: [Record], isEnd: Bool = true) {
            let page = records.map { NumberedRecord(record: $0, number: EntryNumber($0.sequence)) }
            step(.records(page.reversed(), goesBack: true, of: reading))
            step(.haveRead(goesBack: true, isEnd: isEnd, of: reading))
            guard let timeline = model.timeline else { return }
            var counts = ExploreCounts(
                groups: model.facets.facets.map { _ in RecordCounts() } + [RecordCounts()],
                share: 1
            )
            let groupings =
                [timeline.grouping] + model.facets.groupings
            for record in records {
                for index in groupings.indices { counts.groups[index].add(record, in: groupings[index]) }
                counts.total += 1
            }
            counts.ends = records.last.map { [EntryNumber($0.sequence)] } ?? []
            step(.counts(counts, isWhole: true, of: counting))
        }

        var screen: [String] {
            let canvas = ExploreView.canvas(of: model, hasBlocks: true, isUTC: true)
            return (0..<canvas.rows).map { canvas.text(row: $0) }
        }
    }

    private static func record(_ number: Int, unit: String = "web.service", priority: Int = 6) -> Record {
        let fields = RecordFields(
            message: "message \(number)",
            severity: Severity(rawValue: priority),
            ["unit": .text(unit), "priority": .text("\(priority)")]
        )
        return Record(
            source: "journal",
            time: RecordTime(microseconds: 1_700_000_000_000_000 + Int64(number) * 1_000_000),
            sequence: UInt64(number),
            content: fields
        )
    }

    private static func new(_ number: Int) -> NumberedRecord {
        NumberedRecord(record: record(number), number: EntryNumber(UInt64(number)))
    }

    @Test("begins with the newest records, their counts over time, and the values of fields")
    func begin() {
        let bench = Bench()
        #expect(bench.asked.count == 2)
        bench.answer((1...30).map { Self.record($0, unit: $0 % 3 == 0 ? "db.service" : "web.service") })
        let screen = bench.screen
        #expect(screen[0] == "30 records · journal")
        #expect(screen[1].hasPrefix("Filter:"))
        #expect(screen[22] == "Nov 14 22:13:50 journal: message 30")
        #expect(!screen.contains { $0.contains("db.service") })
        bench.type("f")
        #expect(bench.screen.contains { $0.contains("  web.service ") && $0.hasSuffix(" 20  67%") })
    }

    @Test("a chosen value becomes a part of the filter, which can be taken back")
    func choosing() {
        let bench = Bench(filter: "priority <= err || pid == 1")
        bench.answer((1...3).map { Self.record($0) })
        bench.type("f")
        bench.press(.down)
        bench.press(.enter)
        #expect(bench.model.query.filter == #"(priority <= err || pid == 1) && unit == "web.service""#)
        bench.answer([Self.record(1)])
        bench.type("x")
        let text = #"(priority <= err || pid == 1) && unit == "web.service" && unit != "web.service""#
        // The alternative is still there, so that it is enclosed again.
        #expect(bench.model.query.filter == "(" + text.replacing(#" && unit !="#, with: #") && unit !="#))
        bench.type("u")
        bench.type("u")
        #expect(bench.model.query.filter == "priority <= err || pid == 1")
        bench.type("u")
        #expect(bench.model.notice == "There is nothing to take back.")
    }

    @Test(
        "a chosen value is a condition beside the whole filter",
        arguments: [
            ("pid == 1 // web", "(pid == 1 // web\n) && "),
            ("not(pid == 1)or(pid == 2)", "(not(pid == 1)or(pid == 2)) && "),
            ("pid == 1 ? true : false", "(pid == 1 ? true : false) && "), ("pid == 1", "pid == 1 && "),
        ]
    )
    func choosingBeside(filter: String, begin: String) {
        let bench = Bench(filter: filter)
        bench.answer((1...3).map { Self.record($0) })
        bench.type("f")
        bench.press(.down)
        bench.press(.enter)
        #expect(bench.model.query.filter == begin + #"unit == "web.service""#)
    }

    @Test("a gap among records that are held does not count as one of a page")
    func heldGaps() throws {
        let store = ExploredStore([])
        for number in 1...3 { store.keep(Self.record(number)) }
        store.keep(.gap(lost: 2, source: "tap", time: 4, sequence: 4, message: "2 were lost"))
        let page = Recorder(try store.records(ExploreQuery(filter: ""), from: .end, goesBack: true, limit: 2))
        page.waitForEnd()
        #expect(page.values.map(\.record.message) == ["2 were lost", "message 3", "message 2"])
    }

    @Test("a filter takes effect while it is typed, and a mistake is shown at its place")
    func typing() {
        let bench = Bench()
        bench.answer((1...3).map { Self.record($0) })
        bench.type("/")
        bench.asked = []
        bench.type("pid == ")
        #expect(bench.asked.isEmpty && bench.model.error != nil)
        #expect(bench.screen[2] != "")
        bench.type("1")
        #expect(bench.model.error == nil && bench.model.query.filter == "pid == 1")
        #expect(bench.asked.count == 2)
        // What was there is shown until others come.
        #expect(bench.screen.contains { $0.contains("message 3") })
        bench.answer([])
        #expect(bench.screen.contains { $0 == "No record." })
        bench.press(.escape)
        #expect(bench.model.query.filter == "" && bench.model.focus == .list)
    }

    @Test("Alt and Backspace remove the last word of a filter")
    func lastWord() {
        let bench = Bench()
        bench.type("/pid == 1 && uid")
        bench.press(.alt("\u{7F}"))
        #expect(bench.model.typed.text == "pid == 1 && " && bench.model.focus == .filter)
    }

    @Test("a name is completed")
    func completion() {
        let bench = Bench()
        bench.step(.fieldNames(["_PID", "_SYSTEMD_UNIT", "_SYSTEMD_USER_UNIT"]))
        bench.type("/_S")
        bench.press(.tab)
        #expect(bench.model.typed.text == "_SYSTEMD_U")
        bench.type("S")
        bench.press(.tab)
        #expect(bench.model.typed.text == "_SYSTEMD_USER_UNIT")
    }

    @Test("a value is completed, whatever stands before it")
    func values() throws {
        let bench = Bench()
        bench.type(#"/message == "a \" b" && unit != "ngi"#)
        bench.asked = []
        bench.press(.tab)
        guard case .findValues("unit", startingWith: "ngi")? = bench.asked.last else {
            Issue.record("asked \(bench.asked)")
            return
        }
        bench.step(.values(["nginx.service", "nginx.socket"], startingWith: "ngi"))
        #expect(bench.model.typed.text.hasSuffix(#"unit != "nginx.s"#))
        bench.step(.values(["nginx.service"], startingWith: "late"))
        bench.step(.values(["nginx.service"], startingWith: "nginx.s"))
        #expect(bench.model.query.filter == #"message == "a \" b" && unit != "nginx.service""#)
        #expect(FilterPiece.openValue(in: #"unit == "a""#) == nil && FilterPiece.openValue(in: "") == nil)
        #expect(FilterPiece.openValue(in: #"("x"#) == nil)
    }

    @Test("answers to an earlier question change nothing")
    func earlier() {
        let bench = Bench()
        let (reading, counting) = (bench.reading, bench.counting)
        bench.type("/pid == 1")
        bench.press(.enter)
        bench.step(.records([Self.new(9)], goesBack: true, of: reading))
        bench.step(.counts(ExploreCounts(groups: [], total: 9, share: 1), isWhole: true, of: counting))
        #expect(bench.model.list.records.isEmpty && bench.model.counts == nil)
    }

    @Test("a failure is shown until the same is asked again, and one of an earlier question is not")
    func failing() {
        let bench = Bench(columns: 100)
        bench.step(.countingFailed("of before", of: bench.counting - 1))
        #expect(bench.screen[0] == "counting · journal" && bench.screen[2] == "")
        bench.step(.countingFailed("journal: it is gone", of: bench.counting))
        bench.step(.readingFailed("journal: it is gone", of: bench.reading))
        bench.press(.down)
        #expect(bench.screen[0] == "not counted · journal")
        #expect(bench.screen[2] == "journal: it is gone ('r' asks again)")
        #expect(bench.screen.contains("No record."))
        bench.type("r")
        #expect(bench.screen[0] == "counting · journal" && bench.screen[2] == "")
        bench.answer([Self.record(1)])
        #expect(bench.screen[0] == "1 record · journal")
    }

    @Test("it says how often records may be missing")
    func gaps() {
        let bench = Bench()
        var counts = ExploreCounts(groups: Array(repeating: RecordCounts(), count: 1), share: 1)
        for (gaps, text) in [(0, ""), (1, " · 1 gap"), (2, " · 2 gaps")] {
            counts.gaps = gaps
            bench.step(.counts(counts, isWhole: true, of: bench.counting))
            #expect(bench.screen[0] == "0 records\(text) · journal")
        }
    }

    @Test("steps of the time line are marked and looked at alone, and wider again")
    func zoom() throws {
        let bench = Bench()
        bench.answer((1...90).map { Self.record($0, priority: $0 == 50 ? 3 : 6) })
        let timeline = try #require(bench.model.timeline)
        #expect(timeline.span == 2_000_000 && timeline.columns == 51)
        #expect(bench.model.steps[25] == Timeline.Step(total: 2, errors: 1))
        bench.type("t")
        bench.press(.right)
        bench.type(" ")
        bench.press(.right)
        bench.press(.enter)
        #expect(bench.model.query.window == 1_700_000_002_000_000...1_700_000_005_999_999)
        #expect(
            bench.model.command
                == "busctl-rx tail --directory '/a b' --no-follow -S @1700000002.000000 -U @1700000005.999999"
        )
        bench.type("-")
        #expect(bench.model.query.window == 1_699_999_998_000_001...1_700_000_009_999_998)
        bench.type("uu")
        #expect(bench.model.query.window == nil)
    }

    @Test("times before 1970 are looked at alone, and wider again")
    func early() throws {
        let bench = Bench(window: -300_000_000 ... -200_000_000)
        bench.type("t")
        bench.type("-")
        #expect(bench.model.query.window == -400_000_000 ... -100_000_000)
        #expect(bench.model.query.since == -400_000_000)
    }

    @Test("the time line reaches as far as records do where only one side is bounded, and what comes is shown")
    func openTimes() throws {
        let since = Bench(window: 1_700_000_050_000_000 ... .max, columns: 120, follows: true)
        since.answer((60...90).map { Self.record($0) })
        #expect(since.screen[0].contains("following · from ") && since.model.timeline?.begin == 1_700_000_050_000_000)
        #expect(since.model.command == "busctl-rx tail --directory '/a b' -S @1700000050.000000")
        since.step(.came([Self.new(1000)], of: since.model.following))
        #expect(since.model.timeline?.column(of: Self.record(1000).time.microseconds) != nil)
        since.type("t-")
        #expect(since.model.query.window == nil)
        let until = Bench(window: .min...1_700_000_050_000_000, columns: 120)
        #expect(until.model.timeline?.begin == 1_700_000_000_000_000)
        #expect(until.model.command == "busctl-rx tail --directory '/a b' --no-follow -U @1700000050.000000")
        let store = Bench(window: 5 ... .max)
        store.model.times = nil
        #expect(store.model.shownTimes == nil)
    }

    @Test("the first step is not looked at beyond the times that were counted")
    func edge() {
        let window: ClosedRange<Int64> = 1_700_000_000_500_000...1_700_000_060_000_000
        let bench = Bench(window: window)
        bench.answer((1...60).map { Self.record($0) })
        bench.type("t")
        bench.press(.home)
        bench.press(.enter)
        #expect(bench.model.query.window == 1_700_000_000_500_000...1_700_000_000_999_999)
    }

    @Test("on a screen that is too small only q means something, and the size that is needed can be read")
    func tooSmall() {
        let bench = Bench(columns: 19, rows: 6)
        bench.answer((1...30).map { Self.record($0) })
        #expect(bench.screen.filter { !$0.isEmpty } == ["40x10 is needed.", "This is 19x6.", "q ends."])
        let asked = bench.asked.count
        bench.press(.down)
        bench.type("fd")
        bench.press(.down)
        bench.step(.screen(.pointer(Pointer(place: Place(row: 3, column: 3), action: .wheelUp))))
        bench.step(.screen(.pointer(Pointer(place: Place(row: 5, column: 18), action: .press))))
        bench.type("/")
        #expect(bench.asked.count == asked && bench.model.focus == .list)
        #expect(!bench.model.showsFacets && !bench.model.showsDetails && bench.model.list.cursor == 29)
        bench.type("q")
        guard case .end? = bench.asked.last else {
            Issue.record("asked \(bench.asked)")
            return
        }
    }

    @Test("a click leaves the filter as Enter does")
    func leaving() {
        let bench = Bench(filter: "pid == 2")
        bench.answer((1...30).map { Self.record($0) })
        bench.type("/")
        bench.press(.control("u"))
        bench.type("pid == 1")
        let row = bench.model.layout.filter
        bench.step(.screen(.pointer(Pointer(place: Place(row: row, column: 20), action: .press))))
        bench.type(" &&")
        bench.step(.screen(.pointer(Pointer(place: Place(row: 15, column: 5), action: .press))))
        #expect(bench.model.focus == .list && bench.model.error == nil && bench.model.typed.text == "pid == 1 ")
        bench.type("u")
        #expect(bench.model.query.filter == "pid == 2")
    }

    @Test("there is a record under the cursor also where nothing follows the place")
    func cursor() {
        let bench = Bench()
        bench.answer((1...30).map { Self.record($0) })
        bench.type("t")
        bench.press(.end)
        bench.step(.haveRead(goesBack: false, isEnd: true, of: bench.reading))
        bench.step(.records((1...30).reversed().map { Self.new($0) }, goesBack: true, of: bench.reading))
        #expect(bench.model.list.current?.sequence == 30)
        bench.press(.home)
        bench.step(.records((1...30).reversed().map { Self.new($0) }, goesBack: true, of: bench.reading))
        #expect(bench.model.list.current == nil)
        bench.step(.haveRead(goesBack: false, isEnd: true, of: bench.reading))
        #expect(bench.model.list.current?.sequence == 30)
        // Moved while what is shown is of an earlier question.
        bench.type("tG")
        bench.press(.up)
        bench.answer((1...30).map { Self.record($0) })
        #expect(bench.model.list.current?.sequence == 30 && bench.model.list.isAtEnd)
    }

    @Test("values that cannot be asked for are refused, and none becomes an expression")
    func hostileValues() {
        let bench = Bench()
        bench.answer([Self.record(1)])
        for (name, value) in [("MESSAGE", "\u{FFFD}a"), ("pid == 1 || pid", "2"), ("CODE_LINE", "1 || true")] {
            #expect(bench.model.choose(name, value, isWanted: true).isEmpty)
            #expect(bench.model.query.filter == "" && bench.model.notice?.hasPrefix("The filter cannot ask") == true)
        }
        let value = String(repeating: "a", count: TextField.maxLength)
        #expect(bench.model.choose("MESSAGE", value, isWanted: true).isEmpty)
        #expect(FilterPiece.candidates("a.b", "-1.5", isWanted: true) == [#"a.b == "-1.5""#, "a.b == -1.5"])
        #expect(FilterPiece.candidates("facility", "facility", isWanted: true).count == 1)
        #expect(FilterPiece.candidates("1", "1", isWanted: true).isEmpty)
    }

    @Test("a filter with a comment can be edited after a choice")
    func comment() {
        let bench = Bench(filter: "pid == 1 // web")
        bench.answer([Self.record(1)])
        bench.type("f")
        bench.press(.down)
        bench.press(.enter)
        bench.type("/ ")
        #expect(bench.model.error == nil)
        #expect(bench.model.query.filter == "(pid == 1 // web\n) && unit == \"web.service\" ")
    }

    @Test("no field has the values of another one while it is counted anew")
    func strangeValues() {
        let bench = Bench()
        bench.answer([Self.record(1)])
        bench.type("f")
        bench.type("x")
        bench.type("ff")
        #expect(bench.model.facets.facets.map(\.path.text) == ["priority"])
        #expect(bench.model.facets.facets[0].rows.first?.key.values == ["info"])
    }

    @Test("a command in wide characters is shown whole, or that it is cut")
    func wideNotice() {
        let text = String(repeating: "日本", count: 30)
        let bench = Bench(filter: "message == \"\(text)\"")
        bench.answer([Self.record(1)])
        bench.type("c")
        let rows = bench.screen[bench.model.layout.message..<bench.model.layout.axis]
        #expect(rows.joined().replacing(" ", with: "").contains(text))
        bench.model.notice = String(repeating: text, count: 10)
        #expect(bench.screen[bench.model.layout.axis - 1].hasSuffix("…"))
    }

    @Test("records that come during a long count, or after one that failed, are not kept without bound")
    func uncounted() {
        let bench = Bench(follows: true)
        bench.step(.haveRead(goesBack: true, isEnd: true, of: bench.reading))
        for start in stride(from: 0, to: 12_000, by: 1000) {
            bench.step(.came((start..<start + 1000).map { Self.new($0 % 100) }, of: bench.model.following))
        }
        #expect(bench.model.uncounted.count <= 1000 && bench.model.isTimelineShort)
        let counting = bench.counting
        bench.step(.counts(ExploreCounts(groups: [RecordCounts()], share: 1), isWhole: true, of: counting))
        #expect(bench.counting == counting + 1)
        bench.step(.came([Self.new(1)], of: bench.model.following))
        bench.step(.countingFailed("gone", of: bench.counting))
        bench.step(.came([Self.new(2)], of: bench.model.following))
        #expect(bench.model.uncounted.isEmpty)
    }

    @Test("what is held is followed in order, also from a record that is not held any more")
    func followingStore() async throws {
        let store = ExploredStore([])
        for number in 2...3 { store.keep(Self.record(number)) }
        let query = ExploreQuery(filter: "")
        let page = Recorder(try store.records(query, from: .record(Self.record(1)), goesBack: false, limit: 9))
        page.waitForEnd()
        #expect(page.values.map(\.record.sequence) == [2, 3])
        let heard = Recorder(try store.following(query, from: .record(Self.record(1)), since: 0))
        await until { heard.values.count == 2 }
        for number in 4...5 { store.keep(Self.record(number)) }
        await until { heard.values.count == 4 }
        #expect(heard.values.map(\.record.sequence) == [2, 3, 4, 5])
        heard.dispose()
        store.keep(Self.record(6))
        #expect(heard.values.count == 4)
        #expect(store.bound == "the newest 5 are held")
    }

    @Test("an answer to a question that was given up does not replace the one to the next")
    func late() throws {
        let inbox = Inbox(waker: try Waker(), maxWaiting: 10)
        inbox.read(Self.new(2), goesBack: true, of: 2)
        inbox.read(Self.new(1), goesBack: true, of: 1)
        inbox.count(ExploreCounts(total: 2), isWhole: true, of: 2)
        inbox.count(ExploreCounts(total: 1), isWhole: false, of: 1)
        let events = inbox.take()
        guard events.count == 2, case .records(let records, true, of: 2) = events[0],
            case .counts(let counts, isWhole: true, of: 2) = events[1]
        else {
            Issue.record("\(events)")
            return
        }
        #expect(records.map(\.record.sequence) == [2] && counts.total == 2)
    }

    @Test("an entry is new by its number, although the clock was set back")
    func clockSetBack() async throws {
        let folder = try TestFolder()
        func journal(_ count: Int) throws -> ExploredJournal {
            var writer = JournalFileWriter(JournalFileForm())
            for (number, time) in [100, 200, 9_000_000, 300].prefix(count).enumerated() {
                writer.append(
                    JournalFileEntry(
                        sequence: UInt64(number + 1),
                        realtime: 1_700_000_000_000_000 + UInt64(time) * 1_000_000,
                        monotonic: UInt64(number + 1),
                        boot: ID128(0, 1),
                        fields: [Array("MESSAGE=a".utf8)]
                    )
                )
            }
            let path = folder.file("\(count).journal")
            try Data(writer.bytes()).write(to: URL(fileURLWithPath: path.string))
            return ExploredJournal(journal: .files([path.string]), title: "journal")
        }
        let query = ExploreQuery()
        let counted = Recorder(try journal(3).counts(query, by: [RecordGrouping(fields: [FieldPath(name: "unit")])]))
        counted.waitForEnd()
        let counts = try #require(counted.values.last)
        let last = Recorder(try journal(3).records(query, from: .end, goesBack: true, limit: 1))
        last.waitForEnd()
        let heard = Recorder(
            try journal(4).following(query, from: .record(try #require(last.values.first).record), since: 0)
        )
        await until { heard.values.count == 1 }
        let new = try #require(heard.values.first)
        #expect(counts.total == 3 && !counts.covers(new) && counts.ends.count == 1)
        #expect(new.number.map { counts.ends[0].isBefore($0) } == true)
        heard.dispose()
    }

    @Test("large records are held around the cursor only")
    func largeRecords() {
        let fields = RecordFields(message: String(repeating: "x", count: 200_000), [:])
        func page(_ number: Int) -> [Record] {
            (0..<20).map { index in
                Record(source: "a", time: 0, sequence: UInt64(number * 20 + index), content: fields)
            }
        }
        var list = RecordList(atEnd: true)
        for number in 0..<30 {
            list.addOlder(page(number))
            list.move(by: -20)
        }
        #expect(list.records.count < 250 && list.current != nil && !list.hasEnd)
        let seen = list.current?.sequence
        for number in 30..<60 {
            list.addNewer(page(number))
            list.move(by: 20)
        }
        #expect(list.records.count < 250 && list.current != nil && list.current?.sequence != seen && !list.hasBegin)
    }

    @Test("the end is looked for anew where it is not followed")
    func newest() {
        let bench = Bench()
        bench.answer([Self.record(1)])
        bench.asked = []
        bench.type("G")
        #expect(bench.asked.contains { if case .read(_, .end, _, _) = $0 { true } else { false } })
    }

    @Test("what comes is counted once, and waits while one reads back")
    func following() {
        let bench = Bench(follows: true)
        bench.answer((1...5).map { Self.record($0) })
        let follows = bench.asked.filter { if case .follow = $0 { true } else { false } }
        #expect(follows.count == 1)
        bench.step(.came([Self.new(6)], of: bench.model.following))
        #expect(bench.model.counts?.total == 6 && bench.model.list.records.count == 6)
        #expect(bench.screen[0] == "6 records · following · journal")
        bench.press(.up)
        bench.step(.came([Self.new(7), Self.new(8)], of: bench.model.following))
        #expect(bench.model.list.records.count == 6)
        #expect(bench.screen[0] == "8 records · 2 new · journal")
        bench.asked = []
        bench.type("G")
        #expect(bench.asked.contains { if case .read(_, .end, _, _) = $0 { true } else { false } })
    }

    @Test("what comes while others are counted is added to them, unless they were counted, too")
    func countedOnce() {
        let bench = Bench(follows: true)
        bench.step(.records([Self.new(1)], goesBack: true, of: bench.reading))
        bench.step(.haveRead(goesBack: true, isEnd: true, of: bench.reading))
        bench.step(.came([Self.new(2), Self.new(3)], of: bench.model.following))
        let counts = ExploreCounts(
            groups: [RecordCounts(), RecordCounts(), RecordCounts()],
            total: 2,
            ends: [EntryNumber(2)],
            share: 1
        )
        bench.step(.counts(counts, isWhole: true, of: bench.counting))
        #expect(bench.model.counts?.total == 3)
    }

    @Test("a record that came after it was counted, and before the first page was read, is counted")
    func countedBeforePage() {
        let bench = Bench(follows: true)
        let groups = [RecordCounts(), RecordCounts(), RecordCounts()]
        let counts = ExploreCounts(groups: groups, total: 2, ends: [EntryNumber(2)], share: 1)
        bench.step(.counts(counts, isWhole: true, of: bench.counting))
        bench.step(.records([Self.new(3), Self.new(2), Self.new(1)], goesBack: true, of: bench.reading))
        #expect(bench.model.counts?.total == 3)
        // Behind the page, it is told as one that has come.
        bench.step(.haveRead(goesBack: true, isEnd: true, of: bench.reading))
        bench.step(.came([Self.new(4)], of: bench.model.following))
        #expect(bench.model.counts?.total == 4)
        // The end is counted anew with its page, and so nothing is counted twice.
        bench.press(.up)
        bench.step(.came([Self.new(5)], of: bench.model.following))
        let counting = bench.counting
        bench.type("G")
        #expect(bench.counting == counting + 1)
        bench.step(.records([Self.new(5), Self.new(4)], goesBack: true, of: bench.reading))
        let more = ExploreCounts(groups: groups, total: 5, ends: [EntryNumber(5)], share: 1)
        bench.step(.counts(more, isWhole: true, of: bench.counting))
        #expect(bench.model.counts?.total == 5)
    }

    @Test("another place is read while what comes is followed on and counted")
    func followedElsewhere() {
        let bench = Bench(follows: true)
        bench.answer((1...30).map { Self.record($0) })
        let following = bench.model.following
        bench.asked = []
        bench.step(.found(Self.record(12), of: bench.model.reading))
        #expect(bench.asked.count == 2 && bench.model.following == following)
        bench.step(.came([Self.new(31)], of: following))
        #expect(bench.model.counts?.total == 31 && bench.screen[0] == "31 records · 1 new · journal")
        #expect(bench.model.list.records.map(\.sequence) == [12])
        // Before the first page has come, nothing is followed yet.
        let early = Bench(follows: true)
        early.press(.home)
        #expect(early.model.following == 2)
        #expect(early.asked.contains { if case .follow(_, .end, 2) = $0 { true } else { false } })
    }

    @Test("after many new records all are counted anew, and the counts so far are shown until then")
    func countedAnew() {
        let bench = Bench(follows: true)
        bench.answer([Self.record(1)])
        let counting = bench.counting
        bench.step(.came((2...20_000).map { Self.new($0 % 100 + 2) }, of: bench.model.following))
        #expect(bench.counting == counting)
        bench.step(.came((2...10_000).map { Self.new($0 % 100 + 2) }, of: bench.model.following))
        #expect(bench.counting == counting + 1 && bench.screen[0].hasPrefix("29,999 records"))
        let groups = [RecordCounts(), RecordCounts(), RecordCounts()]
        let counts = ExploreCounts(groups: groups, total: 7, ends: [EntryNumber(101)], share: 1)
        bench.step(.counts(counts, isWhole: true, of: bench.counting))
        #expect(bench.screen[0].hasPrefix("7 records"))
    }

    @Test("a long list is read on from where it ends")
    func paging() {
        let bench = Bench()
        let all = (1...RecordList.page).map { Self.new($0) }
        bench.step(.records(all.reversed(), goesBack: true, of: bench.reading))
        bench.step(.haveRead(goesBack: true, isEnd: false, of: bench.reading))
        bench.asked = []
        for _ in 0..<30 { bench.press(.pageUp) }
        guard case .read(_, .record(let first), goesBack: true, _)? = bench.asked.first, bench.asked.count == 1 else {
            Issue.record("asked \(bench.asked)")
            return
        }
        #expect(first.sequence == 1)
        let seen = bench.model.list.current?.sequence
        bench.step(.records([Self.new(0)], goesBack: true, of: bench.reading))
        #expect(bench.model.list.current?.sequence == seen && bench.model.list.records.count == RecordList.page + 1)
    }

    @Test("all screens can be drawn", arguments: [(1, 1), (40, 10), (80, 24), (300, 100), (41, 11)])
    func sizes(columns: Int, rows: Int) {
        let bench = Bench(columns: columns, rows: rows)
        bench.answer((1...200).map { Self.record($0, unit: String(repeating: "日本", count: $0)) })
        for keys in ["", "f", "d", "t", "/", "?"] {
            bench.type(keys)
            #expect(bench.screen.count == rows)
            bench.press(.escape)
        }
        bench.step(.size(columns: 80, rows: 24))
        #expect(bench.screen.count == 24)
    }

    @Test("messages are searched in both directions, and what was found is shown among its neighbours")
    func search() {
        let bench = Bench(filter: "pid == 1")
        bench.answer((1...30).map { Self.record($0) })
        bench.asked = []
        bench.type("sTime.out")
        #expect(bench.screen[2] == "Search: Time.out")
        bench.press(.enter)
        guard case .find(let query, let record, true, let number)? = bench.asked.last else {
            Issue.record("asked \(bench.asked)")
            return
        }
        #expect(query.filter == #"pid == 1 && message =~ "Time.out""# && record.sequence == 30)
        bench.asked = []
        bench.step(.found(Self.record(12), of: number))
        #expect(bench.asked.count == 2 && bench.model.list.current?.sequence == 12)
        bench.step(.records((1...11).reversed().map { Self.new($0) }, goesBack: true, of: bench.reading))
        bench.step(.records((13...30).map { Self.new($0) }, goesBack: false, of: bench.reading))
        #expect(bench.model.list.current?.sequence == 12 && bench.model.list.records.map(\.sequence) == Array(1...30))
        bench.step(.found(nil, of: bench.reading))
        #expect(bench.model.notice == "There is no further one.")
    }

    @Test("marks are gone to in their order, and around again")
    func marks() {
        let bench = Bench()
        bench.answer((1...30).map { Self.record($0) })
        bench.type("'")
        #expect(bench.model.notice == "Press m to mark a record.")
        bench.type("mkkm")
        #expect(bench.model.marks.records.map(\.sequence) == [28, 30])
        #expect(bench.screen.contains { $0.hasPrefix("*Nov 14 22:13:48") })
        bench.type("'")
        #expect(bench.model.list.current?.sequence == 30)
        bench.type("'")
        #expect(bench.model.list.current?.sequence == 28)
        bench.type("m")
        #expect(bench.model.marks.records.map(\.sequence) == [30])
    }

    @Test("marks are refused where there is no room for more")
    func manyMarks() {
        let bench = Bench()
        let fields = RecordFields(message: String(repeating: "x", count: 3_000_000), [:])
        bench.answer((1...10).map { Record(source: "a", time: 0, sequence: UInt64($0), content: fields) })
        for _ in 0..<4 { bench.type("mk") }
        #expect(bench.model.marks.records.count == 4 && bench.model.notice == nil)
        bench.type("kmkmkm")
        #expect(bench.model.marks.records.count == 5)
        #expect(bench.model.notice == "There is no room for more marks.")
    }

    @Test("what is selected is written in a format of tail")
    func export() {
        let bench = Bench(filter: "pid == 1")
        bench.type("w")
        bench.press(.control("u"))
        bench.type("jsn /tmp/x")
        bench.press(.enter)
        #expect(bench.model.notice?.hasPrefix("Write a format and a file") == true)
        bench.type("w")
        bench.press(.control("u"))
        bench.type("json /tmp/a b")
        bench.press(.enter)
        guard case .export(let query, let format, let file)? = bench.asked.last else {
            Issue.record("asked \(bench.asked)")
            return
        }
        #expect(query.filter == "pid == 1" && format.name == "json" && file == "/tmp/a b")
    }

    @Test("what is selected is written below the home directory, too")
    func exportHome() throws {
        let home = try #require(getenv("HOME").map { String(cString: $0) })
        for (typed, path) in [("~/a", home + "/a"), ("~a", "~a"), ("b/~/a", "b/~/a")] {
            let bench = Bench()
            bench.type("w\(typed)")
            bench.press(.enter)
            guard case .export(_, _, let file)? = bench.asked.last else {
                Issue.record("asked \(bench.asked)")
                return
            }
            #expect(file == path && bench.model.notice == "writing \(path)")
        }
    }

    @Test("messages are counted by their patterns, and a pattern that is chosen becomes a regular expression")
    func patterns() throws {
        let bench = Bench()
        bench.type("p")
        #expect(bench.asked.count == 3)
        bench.answer((1...30).map { Self.record($0) })
        #expect(bench.screen.contains { $0.contains("  message <*> ") && $0.hasSuffix(" 30 100%") })
        bench.press(.down)
        bench.press(.enter)
        #expect(bench.model.query.filter == #"message =~ "^\\s*message\\s+.*\\s*(\n|$)""#)
        let filter = try CompiledFilter(
            FilterPiece.candidates("pattern", "a (b) <*> $c <*>d", isWanted: false)[0],
            schema: JournalSchema()
        )
        #expect(filter.text == #"message !~ "^\\s*a\\s+\\(b\\)\\s+.*\\s+\\$c\\s+.*d\\s*(\n|$)""#)
    }

    @Test("a pattern's expression allows for colours, unless its messages in the list have none")
    func patternInColours() {
        func filter(_ messages: String...) -> String {
            let bench = Bench()
            bench.answer(
                messages.map { Record(source: "a", time: 1, sequence: 1, content: RecordFields(message: $0)) }
            )
            _ = bench.model.choose("pattern", "disk full", isWanted: true)
            return bench.model.query.filter
        }
        let short = #"message =~ "^\\s*disk\\s+full\\s*(\n|$)""#
        #expect(filter("disk full", "\u{1B}[0mmemory full") == short)
        #expect(filter("disk full", "\u{1B}[0mdisk full").contains("cntrl"))
        #expect(filter("memory full").contains("cntrl"))
    }

    @Test("a pattern's expression allows for colours where the list lacks some records", arguments: [true, false])
    func patternBeyondList(isWhole: Bool) {
        func isShort(_ bench: Bench) -> Bool {
            _ = bench.model.choose("pattern", "message <*>", isWanted: true)
            return bench.model.query.filter == #"message =~ "^\\s*message\\s+.*\\s*(\n|$)""#
        }
        let older = Bench()
        older.answer([Self.record(1)], isEnd: isWhole)
        #expect(isShort(older) == isWhole)

        let newer = Bench()
        newer.press(.home)
        newer.step(.records([Self.new(1)], goesBack: false, of: newer.reading))
        newer.step(.haveRead(goesBack: true, isEnd: true, of: newer.reading))
        newer.step(.haveRead(goesBack: false, isEnd: isWhole, of: newer.reading))
        #expect(isShort(newer) == isWhole)

        let following = Bench(follows: true)
        following.answer([Self.record(1), Self.record(2)])
        following.press(.up)
        if !isWhole { following.step(.came([Self.new(3)], of: following.model.following)) }
        #expect(isShort(following) == isWhole)
    }
}
