import Records
import TestSupport
import Testing

@testable import SystemdBridge

@Suite("The content of journal messages")
struct JournalMessageTests {
    @Test func fields() throws {
        var message = JournalMessage(
            "two\nlines",
            priority: .warning,
            fields: ["UNIT": "nginx.service"],
            file: "Module/File.swift",
            function: "f()",
            line: 12
        )
        message.add(bytes: [10, 0, 255], for: "REPORT")
        message.add("a", for: "TAG")
        message.add("b", for: "TAG")
        let sent = try JournalDatagram(message.bytes)
        #expect(
            sent.fields.map(\.name) == [
                "MESSAGE", "PRIORITY", "CODE_FILE", "CODE_FUNC", "CODE_LINE", "UNIT", "REPORT", "TAG", "TAG",
            ]
        )
        #expect(sent["MESSAGE"] == ["two\nlines"])
        #expect(sent["PRIORITY"] == ["4"])
        #expect(sent["CODE_FILE"] == ["Module/File.swift"])
        #expect(sent["CODE_LINE"] == ["12"])
        #expect(sent.fields[6].value == [10, 0, 255])
        #expect(sent["TAG"] == ["a", "b"])
    }

    @Test(arguments: ["", "a", "_PID", "1A", "A-B", "A B", "Ä", "A=B", String(repeating: "A", count: 65)])
    func namesThatJournaldDrops(_ name: String) {
        let error = #expect(throws: JournalFieldNameError.self) { try JournalFieldName(name) }
        #expect(error?.name == name)
    }

    @Test(arguments: ["A", "MESSAGE_ID", "A1_", String(repeating: "A", count: 64)])
    func namesThatJournaldTakes(_ name: String) throws {
        #expect(try JournalFieldName(name).description == name)
    }

    @Test(arguments: [
        ("request-id", "REQUEST_ID"), ("", "X"), ("_pid", "X_PID"), ("1st", "X1ST"), ("größe", "GR____E"),
        (String(repeating: "a", count: 100), String(repeating: "A", count: 64)),
    ])
    func nearestNames(_ text: String, _ name: String) throws {
        let nearest = JournalFieldName(nearestTo: text)
        #expect(nearest.description == name)
        #expect(try JournalFieldName(nearest.description) == nearest)
    }
}
