import Bus
import Filter
import FilterBridge
import OSSignalBridge
import ProcessBridge
import Records
import TestSupport
import Testing
import Timers

@Suite("A filter over the records of several sources")
struct RecordFilterTests {
    private func selects(
        _ expression: String,
        _ record: Record,
        sources: [(name: String, kind: RecordKind)] = [
            ("journal", .journal), ("signal", .osSignals), ("timer", .ticks), ("app", .any), ("log", .lines),
        ]
    ) throws -> Bool {
        if case .matched = try RecordFilter(expression, sources: sources).evaluate(record) { return true }
        return false
    }

    private let signal = Record(
        source: "signal",
        time: 1_700_000_000_000_000,
        sequence: 7,
        content: RecordFields(message: "SIGHUP", severity: .notice, ["number": .int(1), "pid": .int(812)])
    )

    private let object: Record = {
        let line = Array(#"{"level":"error","msg":"boom","request":{"status":502,"tags":["a","b"]},"pid":"x"}"#.utf8)
        return Record(
            source: "app",
            time: 5,
            sequence: 1,
            content: JSONObject(line).map { $0 as any RecordContent } ?? JSONObject.none
        )
    }()

    @Test(
        "the fields that all records have",
        arguments: [
            "source == 'signal'", "time == timestamp('2023-11-14T22:13:20Z')", "message.contains('HUP')",
            "severity == notice",
            "priority <= notice", "sequence == 7", "!late && !gap", "record.source in ['signal', 'timer']",
            "has(record.number)",
            "__REALTIME_TIMESTAMP == 1700000000000000",
        ]
    )
    func common(expression: String) throws {
        #expect(try selects(expression, signal))
        #expect(try !selects("!(\(expression))", signal))
    }

    @Test("the fields of a source, and the names for its numbers")
    func own() throws {
        #expect(try selects("number == SIGHUP && pid == 812", signal))
        #expect(
            try selects(
                "source == 'journal' && unit == 'ssh.service' || source == 'signal' && number == SIGHUP",
                signal
            )
        )
        #expect(try !selects("missed > 0", signal), "a record without the field has no answer")
        #expect(try selects("!has(record.missed)", signal))
        #expect(try selects("request.status >= 500 && 'b' in request.tags && level == 'error'", object))
        #expect(try selects("message == 'boom' && severity <= err", object))
        #expect(try selects("pid == 'x'", object), "of another type than elsewhere: decided for each record")
        for name in ["record", "type"] {
            let line = try #require(JSONObject(Array(#"{"\#(name)":{"level":"error"}}"#.utf8)))
            let record = Record(source: "app", time: 5, sequence: 1, content: line)
            #expect(try selects("has(record.\(name)) && record.\(name).level == 'error'", record))
            #expect(try selects("size(fields('\(name)')) == 1", record))
        }
    }

    @Test(
        "a misspelt name is refused, given the sources that are read",
        arguments: [("nubmer == 1", "number"), ("unit == 'a'", "nit"), ("soruce == 'signal'", "source")]
    )
    func misspelt(expression: String, hint: String) {
        let error = #expect(throws: FilterError.self) {
            try RecordFilter(expression, sources: [("signal", .osSignals), ("timer", .ticks)])
        }
        #expect(error?.description.contains(hint) == true || hint == "nit")
    }

    @Test(
        "the records of one source do not use up what those of another may cost, and all that are stopped are counted"
    )
    func budgets() throws {
        let filter = try RecordFilter("message =~ '(x.{0,190}y.{0,190}z|needle)'", sources: [("a", .any), ("b", .any)])
        let (costly, other) = (filter.forOneSource(), filter.forOneSource())
        let fields = RecordFields(message: "x" + String(repeating: "q", count: 60_000))
        let long = Record(source: "a", time: 0, sequence: 1, content: fields)
        for _ in 0..<100 { _ = costly.evaluate(long) }
        #expect(costly.budget.stopped > 0 && filter.budget.stopped == costly.budget.stopped)
        let wanted = RecordFields(message: "needle" + String(repeating: "q", count: 3_000))
        let outcome = other.evaluate(Record(source: "b", time: 0, sequence: 1, content: wanted))
        if case .matched = outcome {} else { Issue.record("\(outcome)") }
    }

    @Test("a name of a source that is not read causes a warning")
    func unknownSource() throws {
        let filter = try RecordFilter("source == 'jurnal'", sources: [("journal", .journal), ("signal", .osSignals)])
        #expect(filter.filter.warnings.contains { "\($0)".contains("'journal', 'signal'") })
    }

    private static let mixed: [(name: String, kind: RecordKind)] = [
        ("journal", .journal), ("app", .any), ("a", .fields(["size": .int])), ("b", .fields(["size": .duration])),
    ]

    @Test(
        "a comparison that can hold for the records of some sources only causes a warning that names the others",
        arguments: [
            (#"PRIORITY == "3""#, #"in records of 'journal', PRIORITY is a number, "3" is text; write PRIORITY == 3"#),
            (#"PRIORITY in ["3"]"#, #"in records of 'journal', PRIORITY is a number, "3" is text: never equal"#),
            (#"PRIORITY =~ "3""#, "in records of 'journal', =~ matches text, and PRIORITY is a number"),
            (#"PRIORITY.contains("3")"#, "in records of 'journal', contains() is called on text"),
            ("MESSAGE == 3", "in records of 'journal', MESSAGE is text, 3 is a number"),
            ("size > 3", "in records of 'b', size is a duration, 3 is a number"),
            (#"size == "x""#, #"in records of 'a', size is a number, "x" is text"#),
            (#"_UID == "root""#, #"in records of 'journal', _UID is a number, "root" is text"#),
        ]
    )
    func doubtful(expression: String, warning: String) throws {
        let filter = try RecordFilter(expression, sources: Self.mixed)
        #expect(filter.filter.warnings.count == 1)
        #expect(filter.filter.warnings.first?.message.hasPrefix(warning) == true, "\(filter.filter.warnings)")
    }

    @Test(
        "a comparison that can hold for the records of no source is refused",
        arguments: [
            #"size == "x""#, #"size in ["x"]"#, #"size =~ "x""#, #""x" < size"#, #"size.startsWith("x")"#,
            #"PRIORITY == "3""#,
        ]
    )
    func impossible(expression: String) {
        let sources = Self.mixed.filter { $0.name != "app" }
        let error = #expect(throws: FilterError.self) { try RecordFilter(expression, sources: sources) }
        #expect(error?.message.contains("size is a number") == true || error?.message.contains("PRIORITY") == true)
    }

    @Test(
        "a comparison that can hold for the records of every source is accepted silently",
        arguments: ["PRIORITY == 3", "size == null", "has(record.size)", #"level == "x""#, #"unit == "a.service""#]
    )
    func possible(expression: String) throws {
        #expect(try RecordFilter(expression, sources: Self.mixed).filter.warnings.isEmpty)
    }

    @Test("gaps pass every filter")
    func gaps() async throws {
        let filter = try ValueFilter<Record>("source == 'other'", sources: [("signal", .osSignals)])
        let gap = Record.gap(lost: 2, source: "signal", time: 0, sequence: 1, message: "2 are missing")
        let heard = try await Signals.from([signal, gap]).filter(matching: filter).collected(limit: 10)
        #expect(heard.count == 1 && heard.first?.kind == .gap(lost: 2))
    }

    @Test("signals become records in one line of code")
    func records() async throws {
        let signals = [OSSignal(number: 1, pid: 812), OSSignal(number: 15)]
        let records = try await Signals.from(signals).records().collected(limit: 10)
        #expect(records.map(\.sequence) == [1, 2] && records.map(\.source) == ["signal", "signal"])
        #expect(records.first?["name"] == "SIGHUP" && records.first?["pid"] == "812")
        #expect(records.first?.message == signals.first?.description)

        let tick = Tick(index: 3, scheduled: .init(nanoseconds: 0), actual: .init(nanoseconds: 5), missed: 2)
        let ticks = try await Signals.from([tick]).records(named: "clock").collected(limit: 10)
        #expect(ticks.first?["missed"] == "2" && ticks.first?.severity == .warning)

        let events: [ChildEvent] = [.started(pid: 9), .output("a"), .errors("b"), .ended(.exited(code: 3))]
        let child = try await Signals.from(events).records().collected(limit: 10)
        #expect(child.map(\.severity) == [.debug, .info, .warning, .error])
        #expect(child.map { $0["stream"] } == ["start", "output", "errors", "end"] && child.last?["code"] == "3")
    }

    @Test("lost values become a gap")
    func losses() throws {
        let source = Subject(of: Int.self)
        let heard = Lock<[Record]>([])
        let subscription = source.records(named: "a") { RecordFields(message: "\($0)") }
            .subscribe { record in heard.withLock { $0.append(record) } }
        source.send(1)
        source.sendLoss(of: 4)
        source.send(2)
        let records = heard.withLock { $0 }
        #expect(records.map(\.kind) == [.event, .gap(lost: 4), .event] && records.map(\.sequence) == [1, 5, 6])
        subscription.dispose()
    }
}

extension JSONObject {
    fileprivate static var none: any RecordContent { RecordFields(message: "no object") }
}
