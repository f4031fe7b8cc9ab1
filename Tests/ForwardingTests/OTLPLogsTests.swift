import Bus
import BusTesting
import Foundation
import JournalBridge
import Records
import SystemPackage
import TestSupport
import Testing

@testable import Forwarding

/// A Python that has the messages as OpenTelemetry publishes them (opentelemetry-proto of PyPI); empty if there is none.
enum OTLPJudge {
    static let python =
        [ProcessInfo.processInfo.environment["BUSCTL_RX_PYTHON"] ?? "", "/usr/bin/python3", "/usr/local/bin/python3"]
        .first { access($0, X_OK) == 0 && run($0, ["-c", "import opentelemetry.proto.logs.v1.logs_pb2"]).status == 0 }
        ?? ""

    static func run(_ program: String, _ arguments: [String]) -> (status: Int32, output: String) {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return (-1, "\(error)") }
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    /// Prints a request, and whether another encoder needs as many bytes for it.
    static let printer = #"""
        import sys
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
        data = open(sys.argv[1], "rb").read()
        request = ExportLogsServiceRequest()
        request.ParseFromString(data)
        def value(v):
            kind = v.WhichOneof("value")
            if kind == "array_value": return [value(x) for x in v.array_value.values]
            return getattr(v, kind)
        def show(attributes): return " ".join(f"{a.key}={value(a.value)!r}" for a in attributes)
        print("size", request.ByteSize() - len(data))
        for logs in request.resource_logs:
            print("resource", show(logs.resource.attributes))
            for scope in logs.scope_logs:
                for r in scope.log_records:
                    print("record", r.time_unix_nano, r.observed_time_unix_nano, r.severity_number, r.severity_text,
                        repr(value(r.body)) if r.HasField("body") else "-", r.trace_id.hex(), r.span_id.hex())
                    print(show(r.attributes))
        """#
}

@Suite("Journal entries as OpenTelemetry's log records")
struct OTLPLogsTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test("an integer of JSON that is too large for OpenTelemetry's keeps its digits")
    func largeInteger() {
        let text = "18446744073709551615"
        var record = ProtobufWriter()
        Array(text.utf8).withUnsafeBytes { json in
            record.write(attribute: ("n" as StaticString).utf8, .json(json), field: 6)
        }
        #expect(String(decoding: record.bytes, as: UTF8.self).hasSuffix(text))
    }

    @Test(
        "a record of another source: its fields with their types, its message, severity and ids",
        .enabled(if: OTLPJudge.python != "")
    )
    func record() throws {
        let line = #"""
            {"msg":"paid \"5\"","level":"error","n": -3 ,"big":18446744073709551615,"x":1.5,"ok":true ,"none":null,"list":[1,"a"],\
            "trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"b7ad6b7169203331","text":"12"}
            """#.replacing("\\\n", with: "")
        let content = try #require(JSONObject(Array(line.utf8)))
        var logs = OTLPLogs()
        logs.append(Record(source: "shop", time: 1_700_000_000_000_000, sequence: 1, content: content), id: "inode=1")
        let file = folder.file("request").string
        try Data(logs.bytes).write(to: URL(fileURLWithPath: file))
        let printed = OTLPJudge.run(OTLPJudge.python, ["-c", OTLPJudge.printer, file])
        #expect(printed.status == 0)
        let lines = printed.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["size 0", "resource service.name='shop'"])
        let parts = lines[2].split(separator: " ", maxSplits: 3).map(String.init)
        #expect(parts[1] == "1700000000000000000")
        #expect(parts[3] == #"17 err 'paid "5"' 0af7651916cd43dd8448eb211c80319c b7ad6b7169203331"#)
        #expect(
            lines[3]
                == #"log.record.uid='inode=1' level='error' n=-3 big='18446744073709551615' x=1.5 ok=True none='null' list='[1,"a"]' text='12'"#
        )
    }

    /// Entries of a stream in the export format.
    private func entries(_ texts: [[UInt8]]) throws -> [JournalEntry] {
        let file = folder.file("export").string
        try Data(texts.joined(separator: Array("\n".utf8))).write(to: URL(fileURLWithPath: file))
        let recorder = Recorder(Signals.journalExport(path: file).compactMap { $0.entry })
        recorder.waitForEnd()
        return recorder.values
    }

    private static func entry(_ number: Int, _ fields: [(String, [UInt8])]) -> [UInt8] {
        var text = Array("__CURSOR=c\(number)\n__REALTIME_TIMESTAMP=\(1_700_000_000_000_000 + number)\n".utf8)
        for (name, value) in fields {
            let count = (0..<8).map { UInt8(truncatingIfNeeded: value.count >> (8 * $0)) }
            text += Array(name.utf8) + [0x0A] + count + value + [0x0A]
        }
        return text
    }

    private static func entry(_ number: Int, _ fields: KeyValuePairs<String, String>) -> [UInt8] {
        entry(number, fields.map { ($0.key, Array($0.value.utf8)) })
    }

    private static let all = [
        entry(
            1,
            [
                "MESSAGE": "paid €5", "PRIORITY": "3", "_SOURCE_REALTIME_TIMESTAMP": "1699999999000000",
                "_HOSTNAME": "web", "_MACHINE_ID": "0f", "_SYSTEMD_UNIT": "shop.service", "SYSLOG_IDENTIFIER": "shopd",
                "_PID": "42", "_COMM": "shopd", "CODE_LINE": "007", "SYSLOG_FACILITY": "3",
                "TRACE_ID": "0AF7651916CD43DD8448EB211C80319C", "SPAN_ID": "b7ad6b7169203331", "ORDER": "1",
                "ORDER": "2",
            ]
        ),
        entry(
            2,
            [
                "PRIORITY": "9", "_HOSTNAME": "web", "_MACHINE_ID": "0f", "SYSLOG_IDENTIFIER": "kernel",
                "TRACE_ID": "00000000000000000000000000000000", "SPAN_ID": "b7", "_SOURCE_REALTIME_TIMESTAMP": "soon",
            ]
        ),
        entry(
            3,
            [
                ("MESSAGE", [0xFF, 0]), ("MESSAGE", Array("2".utf8)), ("PRIORITY", Array("6".utf8)),
                ("_HOSTNAME", Array("web".utf8)), ("_MACHINE_ID", Array("0f".utf8)),
                ("_SYSTEMD_UNIT", Array("shop.service".utf8)),
            ]
        ),
        entry(4, ["MESSAGE": ""]),
    ]

    private static let expected = """
        size 0
        resource service.name='shop' host.name='web' host.id='0f'
        record 1699999999000000000 1700000000000001000 17 err 'paid €5' 0af7651916cd43dd8448eb211c80319c b7ad6b7169203331
        log.record.uid='c1' _SYSTEMD_UNIT='shop.service' SYSLOG_IDENTIFIER='shopd' process.pid=42 process.executable.name='shopd' CODE_LINE='007' syslog.facility.code=3 ORDER=['1', '2']
        record 1700000000000003000 1700000000000003000 9 info b'\\xff\\x00'  
        log.record.uid='c3' MESSAGE='2' _SYSTEMD_UNIT='shop.service'
        resource service.name='kernel' host.name='web' host.id='0f'
        record 1700000000000002000 1700000000000002000 0  -  
        log.record.uid='c2' PRIORITY='9' SYSLOG_IDENTIFIER='kernel' TRACE_ID='00000000000000000000000000000000' SPAN_ID='b7' _SOURCE_REALTIME_TIMESTAMP='soon'
        resource service.name='unknown_service'
        record 1700000000000004000 1700000000000004000 0  ''  
        log.record.uid='c4'

        """

    @Test(
        "the published messages read what the table says",
        .enabled(
            if: !OTLPJudge.python.isEmpty,
            "needs a python3 with opentelemetry-proto, which BUSCTL_RX_PYTHON may name"
        )
    )
    func published() throws {
        var logs = OTLPLogs()
        let entries = try entries(Self.all)
        for entry in entries { logs.append(entry) }
        #expect(logs.count == 4 && logs.bytes.count <= logs.maxSize)
        let file = folder.file("request").string
        try Data(logs.bytes).write(to: URL(fileURLWithPath: file))
        let printed = OTLPJudge.run(OTLPJudge.python, ["-c", OTLPJudge.printer, file])
        #expect(printed.status == 0 && printed.output == Self.expected, "\(printed.output)")
    }

    @Test("an entry's bytes")
    func fixedBytes() throws {
        var logs = OTLPLogs()
        for entry in try entries([Self.entry(1, ["MESSAGE": "hi", "PRIORITY": "3", "_PID": "300", "A": "\u{e9}"])]) {
            logs.append(entry)
        }
        // Read by the published messages, it is what the entry says.
        let expected = """
            0a7f0a230a210a0c736572766963652e6e616d6512110a0f756e6b6e6f776e5f7365727669636512
            58125609e8032a36fe9c971759e8032a36fe9c971732160a0e6c6f672e7265636f72642e75696412
            040a0263312a040a02686910111a0365727232120a0b70726f636573732e706964120318ac023209
            0a014112040a02c3a9
            """
        let text = logs.bytes.map { String(format: "%02x", $0) }.joined()
        #expect(text == expected.filter { !$0.isWhitespace })
    }

    @Test("of requests one behind the other, records are taken out again, and what is none is refused")
    func takenOut() throws {
        let entries = try entries(Self.all)
        var (once, joined) = (OTLPLogs(), [UInt8]())
        for entry in entries {
            once.append(entry)
            var single = OTLPLogs()
            single.append(entry)
            joined += single.bytes
        }
        let records = try OTLPRecords(joined)
        #expect(records.request(of: 0..<4) == once.bytes && records.count == 4)
        #expect(try (0..<4).map { try records.cursor(of: $0) } == ["c1", "c2", "c3", "c4"])
        #expect(try OTLPLogs.count(of: once.bytes) == 4)
        let none: [[UInt8]] = [
            [0x0A], [0x0A, 0x05, 0x0A], [0x12, 0x00], [0x0A, 0x00], once.bytes.dropLast(), Array("{}".utf8),
        ]
        for bytes in none {
            #expect(throws: ProtobufFlaw.self) { try OTLPRecords(bytes) }
        }
    }

    @Test("severities are those of OpenTelemetry's table for syslog")
    func severities() {
        let numbers = (0...7).map { number in
            Array("\(number)".utf8).withUnsafeBytes { OTLPSeverity(priority: $0)?.number }
        }
        #expect(numbers == [21, 19, 18, 17, 13, 10, 9, 5])
        for text in ["", "8", "-1", "10", "x"] {
            #expect(Array(text.utf8).withUnsafeBytes { OTLPSeverity(priority: $0) == nil })
        }
    }
}

@Suite("A receiver's answer")
struct OTLPResponseTests {
    @Test("it counts refused records, and has the receiver's words")
    func partial() throws {
        #expect(try OTLPResponse([]).rejected == 0)
        let response = try OTLPResponse([0x0A, 0x07, 0x08, 0xAC, 0x02, 0x12, 0x02, 0x68, 0x69])
        #expect(response.rejected == 300 && response.message == "hi")
        // Unknown fields of all kinds are passed over.
        let unknown: [UInt8] = [
            0x10, 0x01, 0x19, 1, 2, 3, 4, 5, 6, 7, 8, 0x22, 0x01, 0xFF, 0x2D, 1, 2, 3, 4, 0x0A, 0x02, 0x08, 0x01,
        ]
        #expect(try OTLPResponse(unknown).rejected == 1)
        let long = [UInt8](repeating: 0x61, count: 5000)
        let head: [UInt8] = [0x0A, 0x8B, 0x27, 0x12, 0x88, 0x27]
        #expect(try OTLPResponse(head + long).message.count == OTLPResponse.maxMessage)
    }

    @Test(
        "what is none is refused, with its place",
        arguments: [
            ([0x0A, 0x05, 0x08], "field 1 of 5 bytes is longer than its message at byte 0"),
            (
                [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
                "is longer than its message at byte 0"
            ),
            ([0x0A, 0x02, 0x08, 0x80], "a number without an end at byte 1"),
            (
                [0x0A, 0x0B, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
                "more than 64 bits at byte 1"
            ),
            ([0x0A, 0x0B, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], "fewer than zero"),
            ([0x10, 0x01, 0x0B], "the unknown wire type 3 at byte 2"), ([0x00], "a field without a number at byte 0"),
            ([0x19, 0x01], "a number without an end at byte 1"),
            (Array("<html>".utf8), "is no ExportLogsServiceResponse"),
        ] as [([UInt8], String)]
    )
    func hostile(bytes: [UInt8], message: String) {
        let flaw = #expect(throws: OTLPResponseError.self) { try OTLPResponse(bytes) }
        #expect(flaw?.description.contains(message) == true, "\(flaw?.description ?? "")")
    }
}
