import Filter
import TestSupport
import Testing

@testable import JournalBridge
import Records

@Suite("The shown value of a fact is the filtered one")
struct ShownAndFilteredTests {
    private static let early = "2020-01-02T03:04:05Z"
    private static let earlyText = "1577934245000000"
    private static let received = "1700000000000000"

    /// The lines of the short format for the entries that a filter selects.
    private func lines(_ text: String, _ filter: String) throws -> [String] {
        let schema = JournalSchema()
        let query = JournalQuery(try CompiledFilter(filter, schema: schema), schema: schema)
        var formatter = JournalFormatter(.short)
        return try ReadExport(text, query: query).entries.map { entry in
            var output = OutputBuffer()
            formatter.format(entry, into: &output)
            return output.withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test("the first value of a repeated field")
    func repeated() throws {
        let text =
            "MESSAGE=one\nMESSAGE=two\nSYSLOG_IDENTIFIER=a\nSYSLOG_IDENTIFIER=b\n_PID=1\n_PID=2\n"
            + "_HOSTNAME=h\n_HOSTNAME=i\n\n"
        let shown = try lines(text, "message == 'one' && identifier == 'a' && pid == 1 && host == 'h'")
        #expect(shown.map { $0.dropFirst(15) } == [" h a[1]: one\n"])
        #expect(try lines(text, "message == 'two' || identifier == 'b' || pid == 2 || host == 'i'") == [])
        #expect(try lines("_BOOT_ID=a\n_BOOT_ID=b\nMESSAGE=x\n\n", "boot == 'a'").count == 1)
        #expect(try ReadExport("_BOOT_ID=a\n_BOOT_ID=b\n\n").entries.first?.bootID == "a")
    }

    @Test("the time is when the entry was made, if known, otherwise when it was received")
    func time() throws {
        let source = "_SOURCE_REALTIME_TIMESTAMP=\(Self.earlyText)\n"
        let head = "__REALTIME_TIMESTAMP=\(Self.received)\nMESSAGE=x\n"
        let isEarly = "time == timestamp('\(Self.early)')"
        let isReceived = "time == timestamp('2023-11-14T22:13:20Z')"
        for (fields, filter, shown) in [
            (source, isEarly, "Jan"), ("", isReceived, "Nov"), ("_SOURCE_REALTIME_TIMESTAMP=x\n", isReceived, "Nov"),
            ("_SOURCE_REALTIME_TIMESTAMP=99999999999999999\n", isReceived, "Nov"),
            (source + "_SOURCE_REALTIME_TIMESTAMP=1\n", isEarly, "Jan"),
        ] {
            let found = try lines(head + fields + "\n", filter)
            #expect(found.map { $0.prefix(3) } == [Substring(shown)], "\(fields)")
            let entry = try #require(try ReadExport(head + fields + "\n").entries.first)
            #expect(entry.realtime == 1_700_000_000_000_000)
            #expect(entry.time == (shown == "Jan" ? 1_577_934_245_000_000 : entry.realtime))
        }
        let both = "age > duration('1s') && __REALTIME_TIMESTAMP == \(Self.received) && now - time == age && \(isEarly)"
        #expect(try lines(head + source + "\n", both).count == 1)
    }

    @Test("an entry that was kept gives the same results")
    func kept() throws {
        let text = "MESSAGE=one\nMESSAGE=two\nTAG=a\nTAG=b\nTAG=c\n_SOURCE_REALTIME_TIMESTAMP=\(Self.earlyText)\n\n"
        let entry = try #require(try ReadExport(text).entries.first)
        for expression in [
            "time == timestamp('\(Self.early)') && message == 'one'", "fields('TAG') == ['a', 'b', 'c']",
            "fields('MESSAGE') == ['one', 'two'] && fields('TAG')[2] == 'c' && fields('X') == []",
        ] {
            let schema = JournalSchema()
            let filter = try CompiledFilter(expression, schema: schema)
            guard case .matched = entry.evaluate(filter, schema: schema, within: filter.makeBudget()) else {
                Issue.record("\(expression)")
                continue
            }
            #expect(try lines(text, expression).count == 1)
        }
    }
}
