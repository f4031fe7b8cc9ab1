import Records
import TestSupport
import Testing

@Suite("Paths to fields and their parts")
struct FieldPathTests {
    private func record(_ line: String) throws -> Record {
        Record(source: "a", time: 0, sequence: 7, content: try #require(JSONObject(Array(line.utf8))))
    }

    @Test(
        "a path leads to a field or to a part of one",
        arguments: [
            ("a", #"{"b":{"c":1},"l":[1,{"x":[true]}]}"#), ("a.b.c", "1"), ("a.b['c']", "1"), ("a[\"b\"].c", "1"),
            ("a.l[0]", "1"), ("a.l[1].x[0]", "true"), ("a.l[1]['x']", "[true]"), ("k8s.pod.name", "p"),
            ("k8s.pod.ip", "i"),
            ("a.b.none", nil), ("a.l[2]", nil), ("a.l.x", nil), ("a.b[0]", nil), ("text.x", nil), ("none", nil),
            ("none.x", nil), ("o[\"a.b\"]", "dots"), ("o['q\\'\\\\']", "quotes"), ("o.é\n", "2"), ("o.twice", "2"),
            ("e[0]", nil), ("x[0]", "brackets"), ("y.z", "flat"), ("spaced", "1"), ("o.list[1]", "2"), ("o.empty", ""),
            ("o[\"\"]", "nameless"), ("record.a.l[0]", "1"), ("record.k8s.pod.name", "p"), ("record.spaced", "1"),
            ("record", nil), ("record.none", nil), ("record.record.a", nil),
        ]
    )
    func values(path: String, value: String?) throws {
        let record = try record(
            #"""
            {"a":{"b":{"c":1},"l":[1,{"x":[true]}]},"k8s.pod":{"name":"p"},"k8s":{"pod.ip":"i","pod":{"ip":"other"}},\#
            "text":"{\"x\":1}","o":{"a.b":"dots","q'\\":"quotes","\u00e9\n":2,"twice":1,"twice":2,"list":[ 1 , 2 ],\#
            "empty":"","":"nameless"},"e":[],"x[0]":"brackets","y.z":"flat","y":{"z":"deep"},"spaced": 1 }
            """#
        )
        let found = record.text(of: try FieldPath(path))
        #expect(found == (path == "k8s.pod.ip" ? "other" : value))
    }

    @Test("all records have some fields, and a journal's have short names")
    func common() throws {
        let fields = RecordFields(
            message: "m",
            severity: .warning,
            ["_SYSTEMD_UNIT": .text("u"), "late": .text("own")]
        )
        let record = Record(source: "s", time: 1_500_000, sequence: 3, content: fields)
        let expected: [String: String] = [
            "source": "s", "time": "1970-01-01T00:00:01.500000Z", "severity": "warning", "priority": "warning",
            "message": "m", "sequence": "3", "late": "false", "gap": "false", "unit": "u",
        ]
        for (name, value) in expected { #expect(record.text(of: try FieldPath(name)) == value, "\(name)") }
        #expect(record.text(of: try FieldPath("speaker")) == nil)
    }

    @Test(
        "texts that are not paths",
        arguments: [
            "a" + String(repeating: ".a", count: 100), "a" + String(repeating: "[0]", count: 50_000), "", ".", "a.",
            ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[4294967296]", "a['b", "a['b'",
            "a['b']c", "a['\\",
        ]
    )
    func faults(text: String) {
        #expect(throws: FieldPathError.self) { try FieldPath(text) }
    }

    @Test("commas separate paths, but not in their quotes")
    func lists() throws {
        #expect(try FieldPath.list("a,b.c,d['e,f'],g").map(\.text) == ["a", "b.c", "d['e,f']", "g"])
        for text in ["", ",", "a,", ",a", "a,,b"] {
            #expect(throws: FieldPathError.self, "\(text)") { try FieldPath.list(text) }
        }
    }

    @Test("templates and chosen fields take paths")
    func written() throws {
        let record = try record(#"{"http":{"status":500,"a}b":"c","t":[1,2]},"msg":"m"}"#)
        func text(_ format: RecordFormat, _ fields: [String]? = nil) -> String {
            var style = RecordStyle(format)
            style.fields = fields
            var writer = RecordWriter(style)
            return String(decoding: writer.text(of: record), as: UTF8.self)
        }
        let template = try RecordTemplate("{http.status} {http['a}b']|x} {http.none|none:|} {late}{http.t[1]}")
        #expect(text(.template(template)) == "500 c none:| false2\n")
        #expect(throws: RecordTemplateError.self) { try RecordTemplate("{http[}") }
        #expect(text(.json, ["http.status", "none.x", "message"]).hasSuffix(#""fields":{"http.status":500}}"# + "\n"))
        #expect(text(.message, ["http.t", "message", "a["]) == "[1,2]\nm\n")
    }
}
