import TestSupport
import Testing

@testable import JournalBridge
import Records

@Suite("Limits of an export stream")
struct ExportLimitTests {
    private static let pieces = [1, 7, 4096, 1 << 16]

    @Test(
        "a field with an impossible name is left out, reported before its entry, and the reader continues",
        arguments: ["message=x", "=x", "MES SAGE=x", "1A=x", "A\u{1B}=x", String(repeating: "A", count: 65) + "=x"]
    )
    func invalidNames(field: String) throws {
        let bytes = Array("MESSAGE=1\n\nMESSAGE=2\n\(field)\nA=y\n\nMESSAGE=3\n\n".utf8)
        for size in Self.pieces {
            let export = try ReadExport(bytes, pieces: size)
            #expect(export.messages == ["1", "2", "3"])
            #expect(export.entries.map { $0.fields.count } == [1, 2, 1])
            #expect(export.error == nil)
            let skipped = try #require(export.skipped.first)
            #expect(export.skipped.count == 1 && export.entriesBeforeSkipped == [1])
            #expect((skipped.count, skipped.invalidNames) == (1, 1))
            #expect((skipped.line, skipped.byteOffset, skipped.stream) == (4, 21, "test"))
        }
    }

    @Test("a value with its length is skipped, whatever it contains, if its name is invalid", arguments: pieces)
    func invalidBinaryNames(pieces: Int) throws {
        let value: [UInt8] = Array("A=1\n\nMESSAGE=no\n\n".utf8) + [0xFF, 0]
        let bytes =
            ReadExport.binary("lower", value) + Array("MESSAGE=1\n\n".utf8)
            + ReadExport.binary(String(repeating: "X", count: 70_000), []) + Array("MESSAGE=2\n\n".utf8)
        let export = try ReadExport(bytes, pieces: pieces)
        #expect(export.messages == ["1", "2"])
        #expect(export.error == nil)
        #expect(export.skipped.map(\.invalidNames) == [1, 1])
        // Line feeds inside values count.
        #expect(export.skipped.map(\.line) == [1, 9])
    }

    @Test(
        "an invalid field is refused at its place, after the fields left out before",
        arguments: pieces
    )
    func refused(pieces: Int) throws {
        let bytes = Array("MESSAGE=1\nx=1\nno field\n--------".utf8)
        let export = try ReadExport(bytes, pieces: pieces)
        #expect(export.skipped.map(\.count) == [1])
        #expect((export.error?.line, export.error?.byteOffset) == (3, 14))
        #expect(export.error?.description.contains("but found \"no field\"") == true)
    }

    @Test("an entry has 1,024 fields at most; the others are left out", arguments: [4096, 1 << 16])
    func fieldCount(pieces: Int) throws {
        let fields = (0..<3000).map { "F\($0)=\($0)\n" }.joined()
        // An address line such as `__CURSOR=` is no field of the entry.
        let text = "\(fields)__REALTIME_TIMESTAMP=5\n__CURSOR=c\n\nMESSAGE=next\n\n"
        let export = try ReadExport(Array(text.utf8), pieces: pieces)
        let entry = try #require(export.entries.first)
        #expect(entry.fields.map(\.name) == (0..<1024).map { "F\($0)" })
        #expect((entry.realtime, entry.cursor) == (5, "c"))
        #expect(export.entries.last?["MESSAGE"] == "next" && export.entries.count == 2)
        #expect(export.skipped.map(\.surplus).reduce(0, +) == 3000 - 1024)
        #expect(export.skipped.first?.line == 1025)
        // A field that was left out is reported before more is read, however long the entry is.
        #expect(export.skipped.count > 1 || pieces > 4096)
    }

    @Test("an entry with exactly as many fields and bytes as allowed is complete")
    func atTheLimit() throws {
        let limits = ExportLimits(fieldCount: 2, entrySize: 10)
        let whole = try ReadExport(Array("AB=12\nC=345\n\n".utf8), limits: limits)
        #expect(whole.entries.first?.fields.count == 2 && whole.skipped == [])
        let third = try ReadExport(Array("A=1\nB=\nC=\n\n".utf8), limits: limits)
        #expect(third.entries.first?.fields.map(\.name) == ["A", "B"] && third.skipped.map(\.surplus) == [1])
        let larger = try ReadExport(Array("AB=12\nC=34567\n\n".utf8), limits: limits)
        #expect(larger.entries.first?.fields.map(\.name) == ["AB"] && larger.skipped.map(\.oversized) == [1])
    }

    @Test("a value that is too large is skipped as it arrives, as a line or with its length", arguments: pieces)
    func entrySize(pieces: Int) throws {
        let limits = ExportLimits(entrySize: 1000)
        let large = [UInt8](repeating: 0x61, count: 200_000)
        let bytes =
            Array("MESSAGE=1\nTEXT=".utf8) + large + [0x0A] + ReadExport.binary("BINARY", large)
            + Array("REST=\n\nMESSAGE=2\n\n".utf8)
        let export = try ReadExport(bytes, pieces: pieces, limits: limits)
        #expect(export.messages == ["1", "2"])
        #expect(export.entries.first?.fields.map(\.name) == ["MESSAGE", "REST"])
        #expect(export.error == nil)
        #expect(export.skipped.map(\.oversized).reduce(0, +) == 2)
    }

    @Test("many small fields make an entry too large, like one large field")
    func sizeOfAll() throws {
        let text = (0..<1000).map { "F\($0)=\(String(repeating: "x", count: 100))\n" }.joined() + "\n"
        let export = try ReadExport(Array(text.utf8), limits: ExportLimits(entrySize: 10_000))
        #expect(export.entries.first.map { (90...100).contains($0.fields.count) } == true)
        #expect(export.skipped.map(\.count).reduce(0, +) + (export.entries.first?.fields.count ?? 0) == 1000)
    }

    @Test("a stream that ends inside a skipped field says so")
    func truncatedInside() throws {
        let limits = ExportLimits(entrySize: 10)
        for text in ["MESSAGE=1234567890", "MESSAGE=1\nA=123456789012345678901234567890", "a=1"] {
            let long = text + String(repeating: "x", count: 100)
            let export = try ReadExport(Array(long.utf8), limits: limits)
            #expect(export.entries.isEmpty)
            #expect(export.error?.description.contains("the stream ends inside a field") == true, "\(text)")
        }
        let value = ReadExport.binary("A", [UInt8](repeating: 1, count: 100))
        for length in 3..<value.count {
            let export = try ReadExport(Array(value[..<length]), limits: limits)
            #expect(export.error != nil, "\(length)")
            #expect(export.entries.isEmpty && export.skipped == [])
        }
    }

    @Test("an entry without any remaining field is not delivered")
    func nothingLeft() throws {
        let export = try ReadExport("a=1\nb=2\n\nMESSAGE=1\n\nc=3\n")
        #expect(export.messages == ["1"])
        #expect(export.skipped.map(\.count) == [2, 1])
        #expect(
            export.skipped.first?.description
                == "skipped 2 fields of test, the first at line 1, byte 0: 2 with a name that no journal field can have"
        )
        #expect(export.skipped.last?.description.hasPrefix("skipped 1 field of test, at line 6, byte 20: ") == true)
    }

    /// If each name were searched for among those before it, this would take hours.
    @Test("JSON takes time proportional to the number of fields, different or equal")
    func linear() throws {
        let count = 200_000
        let limits = ExportLimits(fieldCount: 2 * count)
        for (name, isRepeated) in [({ "F\($0)" }, false), ({ _ in "F" }, true)] as [((Int) -> String, Bool)] {
            let text = (0..<count).map { "\(name($0))=\($0)\n" }.joined() + "LAST=\n\n"
            let entry = try #require(try ReadExport(Array(text.utf8), limits: limits).entries.first)
            var output = OutputBuffer()
            var formatter = JournalFormatter(.json)
            formatter.format(entry, into: &output)
            let json = output.withBytes { String(decoding: $0, as: UTF8.self) }
            let fields = (0..<count).map { isRepeated ? "\"\($0)\"" : "\"F\($0)\":\"\($0)\"" }.joined(separator: ",")
            #expect(json == (isRepeated ? "{\"F\":[\(fields)],\"LAST\":\"\"}\n" : "{\(fields),\"LAST\":\"\"}\n"))
        }
    }

    @Test("values of interleaved fields are grouped by name, in the entry's order")
    func gathered() throws {
        let export = try ReadExport("A=1\nB=1\nA=2\nC=1\nB=2\nA=3\n\n")
        let entry = try #require(export.entries.first)
        var output = OutputBuffer()
        var formatter = JournalFormatter(.json)
        formatter.format(entry, into: &output)
        #expect(
            output.withBytes { String(decoding: $0, as: UTF8.self) }
                == "{\"A\":[\"1\",\"2\",\"3\"],\"B\":[\"1\",\"2\"],\"C\":\"1\"}\n"
        )
    }
}
