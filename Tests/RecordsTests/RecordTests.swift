import Records
import TestSupport
import Testing

@Suite("Records")
struct RecordTests {
    @Test("a record built by hand has the values it was given")
    func byHand() {
        let fields = RecordFields(
            message: "took too long",
            severity: .warning,
            ["path": .text("/"), "status": .int(504)]
        )
        let record = Record(source: "web", time: 1, sequence: 1, content: fields)
        #expect(record.message == "took too long" && record.severity == .warning)
        #expect(record["path"] == "/" && record["status"] == "504" && record["none"] == nil)
        #expect(record.fieldNames == ["path", "status"])
    }
}
