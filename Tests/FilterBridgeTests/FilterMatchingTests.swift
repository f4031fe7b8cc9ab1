import Bridges
import Bus
import BusTesting
import Filter
import Glibc
import Testing
import Timers

@testable import OSSignalBridge

@Suite("A signal filtered by an expression")
struct FilterMatchingTests {
    private struct Request: Sendable {
        var status: Int64
        var path: String?
        var took = Duration.zero
    }

    private let fields = FieldTable<Request>(
        [
            .int("status", range: 100...599) { $0.status }, .text("path") { $0.path }, .duration("took") { $0.took },
            .json("tags") { _ in Array(#"["a", {"b": 1}]"#.utf8) },
        ],
        constants: ["teapot": 418]
    )

    private func selected<Value: Sendable>(_ values: [Value], _ filter: ValueFilter<Value>, _ tally: FilterTally? = nil)
        -> [Value]
    {
        Recorder(Signals.from(values).filter(matching: filter, tally: tally)).values
    }

    @Test("custom values, by a table of their fields")
    func table() throws {
        let requests = [
            Request(status: 200, path: "/"), Request(status: 503, path: "/é", took: .milliseconds(250)),
            Request(status: 418, path: nil),
        ]
        func paths(_ expression: String) throws -> [Int64] {
            selected(requests, try ValueFilter(expression, fields: fields)).map(\.status)
        }
        #expect(try paths("status >= 500 && took > duration('200ms')") == [503])
        #expect(try paths("record.status == teapot || path.endsWith('é')") == [503, 418])
        #expect(try paths("!has(path)") == [418])
        #expect(try paths("tags[1].b == 1 && path != ''") == [200, 503, 418])
        #expect(throws: FilterError.self) { try paths("statsu == 1") }
    }

    @Test("values for which the filter has no result are left out and counted")
    func counted() throws {
        let tally = FilterTally()
        let requests = [Request(status: 1, path: "/a"), Request(status: 2, path: nil), Request(status: 3, path: "b")]
        let found = selected(requests, try ValueFilter("path.startsWith('/')", fields: fields), tally)
        #expect(found.map(\.status) == [1])
        #expect((tally.matched, tally.rejected, tally.failed) == (1, 1, 1))
    }

    @Test("OS signals")
    func osSignals() throws {
        let signals = [
            OSSignal(number: SIGTERM, code: 0, pid: 7, uid: 1000, value: 0, status: 0),
            OSSignal(number: SIGHUP, code: 0, pid: 7, uid: 0, value: 0, status: 0),
        ]
        #expect(selected(signals, try ValueFilter("number == SIGTERM")) == [signals[0]])
        #expect(selected(signals, try ValueFilter("record.name == 'SIGHUP' && uid == 0")) == [signals[1]])
        #expect(selected(signals, try ValueFilter("pid == 7 && number in [SIGHUP, SIGTERM]")) == signals)
    }

    @Test("ticks")
    func ticks() throws {
        let ticks = [
            Tick(index: 0, scheduled: TimerInstant(nanoseconds: 5), actual: TimerInstant(nanoseconds: 9), missed: 0),
            Tick(index: 4, scheduled: TimerInstant(nanoseconds: 50), actual: TimerInstant(nanoseconds: 50), missed: 3),
        ]
        #expect(selected(ticks, try ValueFilter("missed > 0")) == [ticks[1]])
        #expect(selected(ticks, try ValueFilter("lateness > duration('3ns') && record.index == 0")) == [ticks[0]])
        #expect(selected(ticks, try ValueFilter("actual == scheduled")) == [ticks[1]])
    }

    @Test("JSON objects")
    func json() throws {
        let lines = [
            #"{"level": "error", "request": {"status": 500}}"#, #"{"level": "info", "le\u0076el": "error"}"#,
            "no object",
            #"{"a": [1, "}", {"b": "]\""}], "level": "x"}"#, "{}",
        ]
        func found(_ expression: String, _ schema: JSONSchema = JSONSchema()) throws -> [String] {
            selected(lines, try ValueFilter<String>(json: expression, schema: schema))
        }
        #expect(try found("level == 'error'") == Array(lines[0...1]))
        #expect(try found("request.?status.orValue(0) >= 500") == [lines[0]])
        #expect(try found("has(record.level) && a[1] == '}' && a[2].b == ']\"'") == [lines[3]])
        #expect(try found("!has(level)") == [lines[2], lines[4]])
        #expect(try found("[level].exists(l, l == 'x') && math.abs(-1) == 1 && now > timestamp(0)") == [lines[3]])
        let named = [#"{"record": {"type": "a", "b": 1}, "type": "c"}"#]
        for expression in [
            "record.record.type == 'a'", "record.record['b'] == 1 && record.type == 'c'", "has(record.record)",
        ] {
            #expect(selected(named, try ValueFilter<String>(json: expression)) == named, "\(expression)")
        }
        let schema = JSONSchema(members: ["level", "request", "now"])
        #expect(try found("level == 'x' && now == null", schema) == [lines[3]])
        let error = #expect(throws: FilterError.self) { try found("lvel == 'x'", schema) }
        #expect(error?.message == "there is no field lvel; did you mean level?")
        let bytes = Array(lines[0].utf8)
        #expect(selected([bytes], try ValueFilter<[UInt8]>(json: "level == 'error'")) == [bytes])
    }
}
