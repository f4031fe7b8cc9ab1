import Foundation
import Glibc
import Records
import TestSupport
import Testing

@Suite("Writing records")
struct RecordWriterTests {
    private let record: Record = {
        let fields = RecordFields(
            message: "took too long\nand failed",
            severity: .error,
            [
                "path": .text("/a b"), "status": .int(504), "took": .duration(.milliseconds(1500)),
                "blob": .bytes([0xFF, 0]),
            ]
        )
        return Record(
            source: "web",
            time: 1_795_468_046_500_000,
            monotonic: .microseconds(12),
            sequence: 3,
            content: fields
        )
    }()

    @Test("many lines below a long name take no more than some times their size")
    func indentation() {
        let lines = [UInt8](repeating: 0x0A, count: 1 << 20)
        for count in [2, 1000, lines.count] {
            for indent in [40, 1 << 20] {
                var output = OutputBuffer()
                lines.prefix(count).withUnsafeBytes {
                    PlainMessage.append(lines: $0, indent: indent, keepsControls: true, to: &output)
                }
                let whole = count + indent * (count - 1)
                let limit = count + min(4096 + 64 * count, 16 << 20)
                #expect(output.count == min(whole, limit), "\(count) lines, indented by \(indent)")
            }
        }
    }

    private func text(
        _ format: RecordFormat,
        _ change: (inout RecordStyle) -> Void = { _ in },
        of record: Record? = nil
    ) -> String {
        var style = RecordStyle(format)
        style.isUTC = true
        change(&style)
        var writer = RecordWriter(style)
        return String(decoding: writer.text(of: record ?? self.record), as: UTF8.self)
    }

    @Test("lines, in all time formats")
    func lines() {
        let rest = " web: took too long\n"
        for (time, text) in [
            (RecordFormat.LineTime.classic, "Nov 23 21:07:26"), (.precise, "Nov 23 21:07:26.500000"),
            (.iso, "2026-11-23T21:07:26+00:00"),
            (.isoPrecise, "2026-11-23T21:07:26.500000+00:00"), (.full, "Mon 2026-11-23 21:07:26 UTC"),
            (.unix, "1795468046.500000"),
        ] {
            let head = "\(text) web: "
            let second = String(repeating: " ", count: head.count) + "and failed\n"
            #expect(self.text(.line(time)) == text + rest + second)
        }
        #expect(text(.message) == "took too long\nand failed\n")
    }

    @Test("a time before 1970")
    func early() {
        var record = record
        record.time = -500_000
        #expect(text(.line(.isoPrecise), of: record).hasPrefix("1969-12-31T23:59:59.500000+00:00 "))
        #expect(text(.line(.unix), of: record).contains("-0.500000 "))
        record.time = -1_500_000
        #expect(text(.line(.unix), of: record).contains("-1.500000 "))
    }

    @Test("a value that only looks like JSON is written as a text")
    func brokenEscapes() throws {
        let line = #"{"msg":"x","a":"\uZZZZ","b":"\u12","c":"\u00e9"}"#
        let object = try #require(JSONObject(Array(line.utf8)))
        let written = text(.json, of: Record(source: "a", time: 0, sequence: 1, content: object))
        let read = try #require(try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: Any])
        let fields = try #require(read["fields"] as? [String: Any])
        #expect(
            fields["a"] as? String == #""\uZZZZ""# && fields["b"] as? String == #""\u12""#
                && fields["c"] as? String == "é"
        )
    }

    @Test("a line without a message shows the fields")
    func noMessage() {
        let fields = RecordFields(["path": .text("/a b"), "status": .int(504)])
        let record = Record(source: "web", time: 1_795_468_046_500_000, sequence: 1, content: fields)
        #expect(text(.line(.classic), of: record) == "Nov 23 21:07:26 web: path=\"/a b\" status=504\n")
        #expect(text(.message, of: record) == "")
        #expect(text(.message, { $0.fields = ["status", "none", "path"] }, of: record) == "504\n/a b\n")
    }

    @Test("a late record and a gap are marked")
    func marks() throws {
        var late = record
        late.isLate = true
        #expect(text(.line(.classic), of: late).hasPrefix("Nov 23 21:07:26 web (late): took"))
        #expect(text(.json, of: late).contains(#""late":true"#))
        let gap = Record.gap(lost: 3, source: "web", time: 0, sequence: 4, message: "3 records are missing")
        #expect(text(.json, of: gap).contains(#""gap":true,"lost":3"#))
        #expect(text(.logfmt, of: gap).contains(" gap=true lost=3 "))
    }

    @Test("JSON, in its four frames")
    func json() throws {
        let object =
            #"{"time":"2026-11-23T21:07:26.500000Z","source":"web","sequence":3,"monotonic":12,"severity":"err","#
            + #""message":"took too long\nand failed","fields":{"path":"/a b","status":504,"took":"1.5 seconds","blob":[255,0]}}"#
        #expect(text(.json) == object + "\n")
        #expect(text(.jsonSequence) == "\u{1E}\(object)\n")
        #expect(text(.jsonEvents) == "data: \(object)\n\n")
        let pretty = text(.jsonPretty)
        let laidOut = try JSONSerialization.jsonObject(with: Data(pretty.utf8)) as? NSDictionary
        let plain = try JSONSerialization.jsonObject(with: Data(object.utf8)) as? NSDictionary
        #expect(laidOut == plain && pretty.contains("\n\t\"source\""))
        #expect(text(.json, { $0.fields = ["status", "none"] }).hasSuffix(#""fields":{"status":504}}"# + "\n"))
    }

    @Test("a repeated field is a list")
    func repeated() {
        let fields = RecordFields(list: [("a", .int(1)), ("b", .null), ("a", .text("x"))])
        let record = Record(source: "s", time: 0, sequence: 1, content: fields)
        #expect(text(.json, of: record).hasSuffix(#""fields":{"a":[1,"x"],"b":null}}"# + "\n"))
        #expect(text(.logfmt, of: record).hasSuffix(" a=1 a=x b=null\n"))
    }

    @Test("a record of a hundred thousand fields costs no more for each of them")
    func manyFields() throws {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        func cost(_ count: Int) throws -> Duration {
            let members = (0..<count).map { "\"k\($0 / 2)\":\($0)" }.joined(separator: ",")
            let object = try #require(JSONObject(Array("{\(members)}".utf8)))
            var writer = RecordWriter(RecordStyle(.json))
            let before = now()
            let text = writer.text(of: Record(source: "a", time: 0, sequence: 1, content: object))
            #expect(text.count > count * 4)
            return now() - before
        }
        _ = try cost(1000)
        // With quadratic cost each would take a thousand times as long.
        let few = try (0..<5).map { _ in try cost(1000) }.min() ?? .zero
        #expect(try cost(100_000) < few * 100 * 20)
    }

    @Test("logfmt can be read back")
    func logfmt() throws {
        let line = text(.logfmt)
        #expect(
            line.hasPrefix(
                #"time=2026-11-23T21:07:26.500000Z source=web severity=err msg="took too long\nand failed" path="/a b""#
            )
        )
        let (content, time) = try #require(Array(line.dropLast().utf8).withUnsafeBytes { Logfmt.read($0) })
        #expect(time == record.time && content.severity == .error)
        #expect(Record(source: "", time: 0, sequence: 1, content: content).message == record.message)
    }

    @Test(
        "no output to a terminal can control it",
        arguments: [
            RecordFormat.line(.classic), .message, .verbose, .json, .jsonPretty, .logfmt,
        ]
    )
    func terminal(format: RecordFormat) throws {
        let evil = "a\u{1B}[2J\u{9B}31m\u{7F}\u{202E}\r"
        let fields = RecordFields(
            message: evil,
            list: [(evil, .text(evil)), ("b", .bytes(Array(evil.utf8))), ("c", .json(Array(evil.utf8)))]
        )
        let record = Record(source: evil, time: 0, sequence: 1, content: fields)
        for format in [format, .template(try RecordTemplate("{source} {message} {b} {c} {none|\(evil)}"))] {
            let text = text(format, { $0.isForTerminal = true }, of: record)
            let isHarmless = text.unicodeScalars.allSatisfy { scalar in
                scalar == "\n" || scalar == "\t"
                    || !(scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar == "\u{202E}")
            }
            #expect(isHarmless, "\(format): \(text.debugDescription)")
        }
    }

    @Test("templates")
    func templates() throws {
        func written(_ template: String) throws -> String { text(.template(try RecordTemplate(template))) }
        #expect(try written("{time:utc} {severity:number} {path}") == "2026-11-23T21:07:26.500000Z 3 /a b\n")
        #expect(
            try written("{time:short}|{time:unix}|{time:short}")
                == "Nov 23 21:07:26|1795468046.500000|Nov 23 21:07:26\n"
        )
        #expect(try written("{{{source}}}\\t{none}{none|-}\\n{sequence}") == "{web}\t-\n3\n")
        #expect(try written("") == "\n")
        let entry = RecordFields(["_SYSTEMD_UNIT": .text("web.service"), "_PID": .text("7"), "pid": .text("8")])
        let record = Record(source: "journal", time: 0, sequence: 1, content: entry)
        #expect(text(.template(try RecordTemplate("{unit} {pid} {host|-}")), of: record) == "web.service 8 -\n")
        for (wrong, offset) in [
            ("a {", 2), ("}", 0), ("{}", 0), ("{time:odd}", 1), ("{a:b}", 1), ("a\\", 1), ("\\x", 0),
        ] {
            let fault = #expect(throws: RecordTemplateError.self, "\(wrong)") { try RecordTemplate(wrong) }
            #expect(fault?.offset == offset, "\(wrong)")
        }
    }

    @Test("only source and message are coloured")
    func colors() {
        let line = text(.line(.classic)) { $0.hasColors = true }
        #expect(line.hasPrefix("Nov 23 21:07:26 \u{1B}[") && line.contains("web\u{1B}[0m: \u{1B}[0;1;31mtook"))
        #expect(line.hasSuffix("\n" + String(repeating: " ", count: 21) + "and failed\u{1B}[0m\n"))
    }
}
