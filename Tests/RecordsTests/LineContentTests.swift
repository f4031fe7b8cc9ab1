import Foundation
import Records
import TestSupport
import Testing

@Suite("Lines as the content of records")
struct LineContentTests {
    private func parsed(_ text: String) -> JSONObject? { JSONObject(Array(text.utf8)) }

    private func record(_ content: some RecordContent) -> Record {
        Record(source: "a", time: 0, sequence: 1, content: content)
    }

    @Test("an object's message, severity and time, by the names that log files use")
    func object() throws {
        let line = #"{"ts":1700000000.25,"lvl":"WARN","msg":"a\tb\u00e9\ud83d\ude00","n":{"a":[1,2]},"x\n":null}"#
        let object = try #require(parsed(line))
        let record = record(object)
        #expect(object.time == 1_700_000_000_250_000 && record.severity == .warning)
        #expect(record.message == "a\tbé😀")
        #expect(record.fieldNames == ["ts", "lvl", "msg", "n", "x\n"])
        #expect(record["n"] == #"{"a":[1,2]}"# && record["x\n"] == "null" && record["ts"] == "1700000000.25")
        #expect(parsed(#"{"level":30}"#)?.severity == .info && parsed(#"{"level":"3"}"#)?.severity == .error)
        #expect(parsed(#"{"ts" : 1700000000 , "msg" : "x"}"#)?.time == 1_700_000_000_000_000)
        #expect(parsed(#"{ "msg": "x", "ts": 1700000000 }"#)?.time == 1_700_000_000_000_000)
        #expect(parsed(#"{"level":"odd"}"#)?.severity == nil && parsed("{}")?.time == nil)
    }

    @Test("half of a UTF-16 surrogate pair becomes U+FFFD, in names and values, as the filter reads it")
    func halfPairs() throws {
        let record = record(try #require(parsed(#"{"a\ud83d":"x","msg":"\ude00b\ud83d\u0041"}"#)))
        #expect(record.message == "\u{FFFD}b\u{FFFD}A" && record["a\u{FFFD}"] == "x")
    }

    @Test("half of a surrogate pair is written as U+FFFD, and whole pairs as they are")
    func halfPairsWritten() throws {
        let members = #""a":"\ud83d","b":{"\udE00":["\ud83d\ude00","\ud83d\ud83d\ude00\u0041x","\\ud83d"]}"#
        let record = record(try #require(parsed("{\(members)}")))
        var writer = RecordWriter(RecordStyle(.json))
        let text = String(decoding: writer.text(of: record), as: UTF8.self)
        let whole = #""a":"\ufffd","b":{"\ufffd":["\ud83d\ude00","\ufffd\ud83d\ude00\u0041x","\\ud83d"]}"#
        #expect(text.hasSuffix("\"fields\":{\(whole)}}\n"), "\(text)")
    }

    @Test(
        "lines that are not objects",
        arguments: [
            "", " ", "null", "[1]", "\"a\"", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{\"a\":1} x",
            "{\"a\":1}{\"b\":2}",
            "{a:1}", "{\"a\\x\":1}", "{\"a\" 1}", "x{\"a\":1}", "{\"a\":\"1}",
        ]
    )
    func noObject(text: String) {
        #expect(parsed(text) == nil)
    }

    @Test("an object that Foundation accepts is read as the same object, and no longer once it is cut")
    func random() throws {
        for seed in 0..<UInt64(Stress.rounds(300, stress: 5000)) {
            var generator = SeededGenerator(seed)
            let value = Self.value(depth: 0, &generator, isObject: true)
            let line = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed])
            let object = try #require(JSONObject(Array(line)), "seed \(seed)")
            var writer = RecordWriter(RecordStyle(.json))
            let text = writer.text(of: record(object))
            let read = try #require(
                try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any],
                "seed \(seed)"
            )
            // By way of sorted text, because the two hold the same values but not the same types.
            let fields = try JSONSerialization.data(withJSONObject: #require(read["fields"]), options: [.sortedKeys])
            let original = try JSONSerialization.data(
                withJSONObject: JSONSerialization.jsonObject(with: line),
                options: [.sortedKeys]
            )
            #expect(fields == original, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
            let cut = Int.random(in: 0..<line.count, using: &generator)
            #expect(JSONObject(Array(line.prefix(cut))) == nil, "seed \(seed)")
        }
    }

    private static func value(depth: Int, _ generator: inout SeededGenerator, isObject: Bool = false) -> Any {
        let strings = ["", "a", "é\u{1F600}", "\"\\/\u{8}\n\t\r", "\u{0}\u{1F}\u{7F}\u{2028}", "x y = z"]
        switch isObject ? 6 : Int.random(in: 0...(depth > 3 ? 4 : 6), using: &generator) {
        case 0: return NSNull()
        case 1: return Bool.random(using: &generator)
        case 2: return Int.random(in: -1000...1000, using: &generator)
        case 3: return Double(Int.random(in: -1000...1000, using: &generator)) / 8
        case 4: return strings.randomElement(using: &generator) ?? ""
        case 5: return (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth + 1, &generator) }
        default:
            var object: [String: Any] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                object[(strings.randomElement(using: &generator) ?? "") + "\(object.count)"] = value(
                    depth: depth + 1,
                    &generator
                )
            }
            return object
        }
    }

    @Test("random bytes never crash, and whatever is accepted as an object is written as JSON")
    func hostile() throws {
        let pieces = [
            "{", "}", "[", "]", "\"", "\\", ":", ",", "a", "\"a\":1", "\\u12", "\\ud800", "\u{FF}", "1e", "tru", " ",
        ]
        for seed in 0..<UInt64(Stress.rounds(3000, stress: 100_000)) {
            var generator = SeededGenerator(seed)
            var line: [UInt8] = Array("{".utf8)
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                line += Array((pieces.randomElement(using: &generator) ?? "").utf8)
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    line.append(UInt8.random(in: 0...255, using: &generator))
                }
            }
            if Bool.random(using: &generator) { line += Array("}".utf8) }
            guard let object = JSONObject(line) else { continue }
            var writer = RecordWriter(RecordStyle(.json))
            let text = writer.text(of: record(object))
            #expect(throws: Never.self, "seed \(seed): \(String(decoding: text, as: UTF8.self))") {
                try JSONSerialization.jsonObject(with: Data(text))
            }
        }
    }

    @Test("logfmt")
    func logfmt() throws {
        let line =
            #"time=2026-11-23T21:07:26Z level=info msg="took \"too\" long" status=504 took=1.5s flag id=007 empty="#
        let (content, time) = try #require(Array(line.utf8).withUnsafeBytes { Logfmt.read($0) })
        let record = record(content)
        #expect(time == 1_795_468_046_000_000 && record.severity == .info && record.message == #"took "too" long"#)
        #expect(
            record["status"] == "504" && record["took"] == "1.5s" && record["flag"] == "true" && record["id"] == "007"
        )
        #expect(record["empty"] == "")
        let ranked =
            "event=startup t=0.35 ts=2026-01-01T00:00:00Z lvl=warn level=error time=2025-01-01T00:00:00Z msg=ready"
        let (named, begin) = try #require(Array(ranked.utf8).withUnsafeBytes { Logfmt.read($0) })
        #expect(self.record(named).message == "ready" && named.severity == .error)
        #expect(begin == RecordTime("2025-01-01T00:00:00Z"))
        for other in ["", "just words", "\"", "a=\"b", "=x", "a=b \"c"] {
            #expect(Array(other.utf8).withUnsafeBytes { Logfmt.read($0) } == nil, "\(other)")
        }
    }
}
