import Bus
import Foundation
import Records
import Testing

@testable import TapBridge

/// The tap's encoding of a value: its JSON as text, and how it was made.
private func encoded(_ value: any Sendable, _ bounds: EncodingBounds = EncodingBounds()) -> (
    text: String, how: EncodedValue
) {
    var output = OutputBuffer()
    let how = EncodedValue.append(
        value,
        of: "test.topic",
        with: JSONValueWriter(EncodingRun(bounds, "none")),
        to: &output
    )
    return (output.withBytes { String(decoding: $0, as: UTF8.self) }, how)
}

private func parsed(_ text: some StringProtocol) throws -> NSObject {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject)
}

@Suite("Encoding of values for the tap")
struct EncodingTests {
    private func compare<Value: Encodable & Sendable>(_ value: Value) throws {
        let text = encoded(value).text
        let reference = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        #expect(try parsed(text) == parsed(reference), "\(text) is not \(reference)")
    }

    @Test("Values of the standard library are encoded as by Foundation")
    func scalars() throws {
        try compare(1)
        try compare(Int64.min)
        try compare(UInt64.max)
        try compare([Int8.min, Int8.max])
        try compare([UInt16.max])
        try compare(true)
        try compare([1.5, -0.25, 1e300, 1e-300, 0, 3])
        try compare([Float(0.5), -2])
        try compare("")
        try compare("plain, \"quoted\", back\\slash, tab\t, line\n, bell\u{7}, zero\0, ü, 日本, 👩‍👩‍👧, \u{2028}")
        try compare([String]())
        try compare([String: Int]())
        try compare(["a": [1, 2, 3], "b\"": []])
        try compare([3: "three", 7: "seven"])
        try compare([[1], [], [2, 3]])
        try compare(["x": Int?.none, "y": 1])
        try compare([Int?.none, 1])
        try compare(Int?.none)
        try compare(0..<5)
    }

    struct Inner: Codable, Sendable {
        var name = "inner"
        var numbers = [1, 2, 3]
        var missing: String?
        var present: Int? = 4
    }

    enum Plain: String, Codable, Sendable { case first, second }

    enum Shape: Codable, Sendable {
        case point
        case circle(radius: Double)
        case named(String, Inner)
    }

    struct Outer: Codable, Sendable {
        var inner = Inner()
        var list = [Inner(), Inner(name: "two", present: nil)]
        var table = ["k": Inner()]
        var plain = Plain.second
        var shapes = [Shape.point, .circle(radius: 1.5), .named("n", Inner())]
        var nothing = Nothing()
    }

    struct Nothing: Codable, Sendable {}

    @Test("Structures, enumerations and nested values are encoded as by Foundation")
    func structures() throws {
        try compare(Outer())
        try compare(Nothing())
        try compare(Shape.point)
        try compare([Plain.first: 1])
    }

    class Base: Encodable, @unchecked Sendable {
        let base = 1
        enum Keys: CodingKey { case base }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(base, forKey: .base)
        }
    }

    /// Writes its superclass's members together with its own.
    final class Merging: Base, @unchecked Sendable {
        enum Keys: CodingKey { case own, after }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode("x", forKey: .own)
            try super.encode(to: encoder)
            try container.encode("y", forKey: .after)
        }
    }

    final class Nesting: Base, @unchecked Sendable {
        enum Keys: CodingKey { case own, other }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try super.encode(to: container.superEncoder())
            try super.encode(to: container.superEncoder(forKey: .other))
            try container.encode("x", forKey: .own)
        }
    }

    /// Writes to containers in another order than that of the text.
    struct Interleaving: Encodable, Sendable {
        enum Keys: CodingKey { case a, b, c, d, e }
        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Keys.self)
            var a = outer.nestedContainer(keyedBy: Keys.self, forKey: .a)
            var b = outer.nestedUnkeyedContainer(forKey: .b)
            try outer.encode(1, forKey: .c)
            try b.encode(1)
            try a.encode("x", forKey: .d)
            var inner = b.nestedContainer(keyedBy: Keys.self)
            var list = b.nestedUnkeyedContainer()
            try b.encodeNil()
            try inner.encode(Inner(), forKey: .e)
            try Base().encode(to: b.superEncoder())
            try list.encode([1, 2])
            try a.encodeNil(forKey: .e)
            try outer.encode([2], forKey: .d)
            var text = outer.superEncoder(forKey: .e).singleValueContainer()
            try text.encode("late")
        }
    }

    @Test("Classes and interleaved containers are encoded as by Foundation")
    func containers() throws {
        try compare(Base())
        try compare(Merging())
        try compare(Nesting())
        try compare(Interleaving())
        try compare([Interleaving(), Interleaving()])
    }

    @Test("Values that are not finite become a text")
    func notFinite() {
        #expect(encoded([Double.nan, .infinity, -.infinity]).text == #"["NaN","Infinity","-Infinity"]"#)
        #expect(encoded([Float.nan]).text == #"["NaN"]"#)
    }

    @Test("Values that are not Encodable are described")
    func described() {
        struct Opaque: Sendable { var number = 1 }
        let (text, how) = encoded(Opaque())
        #expect(text == #""Opaque(number: 1)""#)
        guard case .text(isCut: false) = how else { return #expect(Bool(false), "\(how)") }
    }

    @Test("A description is cut at the limit")
    func cut() {
        struct Long: Sendable, CustomStringConvertible {
            var description: String { String(repeating: "ab", count: 1000) }
        }
        var bounds = EncodingBounds()
        bounds.size = 100
        let (text, how) = encoded(Long(), bounds)
        #expect(text.utf8.count == 100)
        guard case .text(isCut: true) = how else { return #expect(Bool(false), "\(how)") }
    }

    @Test("A description is cut at the limit of its JSON, which is longer, and within no character")
    func cutEscaped() throws {
        struct Text: Sendable, CustomStringConvertible { let description: String }
        let (control, how) = encoded(Text(description: String(repeating: "\u{1}", count: 65_536)))
        // An escape has 6 bytes.
        #expect(65_536 - 6..<65_536 ~= control.utf8.count)
        let kept = try JSONDecoder().decode(String.self, from: Data(control.utf8))
        #expect(kept == String(repeating: "\u{1}", count: 10_922))
        guard case .text(isCut: true) = how else { return #expect(Bool(false), "\(how)") }
        for whole in ["a\"\\\nä😀", "a\"\\\n\u{1}ä😀"].map({ String(repeating: $0, count: 4) }) {
            var bounds = EncodingBounds()
            for size in 2...80 {
                bounds.size = size
                let text = encoded(Text(description: whole), bounds).text
                let part = try JSONDecoder().decode(String.self, from: Data(text.utf8))
                #expect(text.utf8.count <= size && whole.unicodeScalars.starts(with: part.unicodeScalars))
                #expect(part == whole || text.utf8.count > size - 6)
            }
        }
    }

    final class Endless: Encodable, Sendable {
        enum Keys: CodingKey { case next }
        let catches: Bool
        init(catches: Bool) { self.catches = catches }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            if catches {
                try? container.encode(self, forKey: .next)
            } else {
                try container.encode(self, forKey: .next)
            }
        }
    }

    final class EndlessNesting: Encodable, Sendable {
        private var inner: any Encodable { self }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            try inner.encode(to: container.superEncoder())
        }
    }

    final class EndlessHidden: Encodable, Sendable {
        enum Keys: CodingKey { case number, next }
        private var inner: any Encodable { self }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .number)
            try inner.encode(to: container.superEncoder(forKey: .next))
        }
    }

    @Test("A value that contains itself ends at the depth limit, even in a hidden part")
    func tooDeepWhereHidden() {
        var bounds = EncodingBounds()
        bounds.redact = { _, path in path.last == "next" }
        let (text, how) = encoded(EndlessHidden(), bounds)
        #expect(text == "")
        guard case .failed(let reason) = how else { return #expect(Bool(false), "\(how)") }
        #expect(reason == "the value has more than 64 levels")
    }

    @Test("A value that contains itself ends at the depth limit, even if it ignores errors")
    func tooDeep() {
        for value: any Sendable in [Endless(catches: false), Endless(catches: true), EndlessNesting()] {
            let (text, how) = encoded(value)
            #expect(text == "")
            guard case .failed(let reason) = how else { return #expect(Bool(false), "\(how)") }
            #expect(reason == "the value has more than 64 levels")
        }
    }

    struct Stubborn: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for _ in 0..<10_000 { try? container.encode("0123456789") }
        }
    }

    @Test("A value that is too large has no text")
    func tooLarge() {
        let large: [any Sendable] = [
            String(repeating: "x", count: 100_000), Array(repeating: 1, count: 100_000), Stubborn(),
            ["a": String(repeating: "\u{1}", count: 20_000)],
        ]
        for value in large {
            let (text, how) = encoded(value)
            #expect(text == "")
            guard case .tooLarge = how else { return #expect(Bool(false), "\(how)") }
        }
    }

    struct Failing: Encodable, Sendable {
        struct Reason: Error, CustomStringConvertible { var description: String { "no luck" } }
        func encode(to encoder: any Encoder) throws { throw Reason() }
    }

    struct Tolerant: Encodable, Sendable {
        enum Keys: CodingKey { case a, b, c }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .a)
            try? container.encode([Failing()], forKey: .b)
            try container.encode(3, forKey: .c)
        }
    }

    struct TwoKinds: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            var single = encoder.singleValueContainer()
            try single.encode(2)
        }
    }

    @Test("A value's own errors are reported, and a part that fails leaves nothing behind")
    func failures() {
        let (text, how) = encoded(Failing())
        #expect(text == "")
        guard case .failed("no luck") = how else { return #expect(Bool(false), "\(how)") }
        #expect(encoded(Tolerant()).text == #"{"a":1,"c":3}"#)
        guard case .failed = encoded(TwoKinds()).how else { return #expect(Bool(false)) }
    }

    @Test("The hook hides parts by their path")
    func redaction() {
        var bounds = EncodingBounds()
        let paths = Lock<[String]>([])
        bounds.redact = { topic, path in
            let name = path.joined(separator: "/")
            paths.withLock { $0.append(name) }
            return topic == "test.topic" && (path.last == "name" || name == "list/1")
        }
        let text = encoded(Outer(), bounds).text
        #expect(text.contains(#""list":[{"name":"<redacted>","numbers":[1,2,3],"present":4},"<redacted>"]"#))
        #expect(!text.contains("inner\"]") && !text.contains("two"))
        #expect(paths.withLock { $0 }.contains("inner/numbers/2"))
        bounds.redact = { _, path in path.isEmpty }
        #expect(encoded("secret", bounds).text == #""<redacted>""#)
        bounds.redact = { _, path in path == ["a"] || path == ["b", "1", "e"] }
        let interleaved = encoded(Interleaving(), bounds).text
        #expect(interleaved.hasPrefix(#"{"a":"<redacted>","b":[1,{"e":"<redacted>"},"#), "\(interleaved)")
    }
}
