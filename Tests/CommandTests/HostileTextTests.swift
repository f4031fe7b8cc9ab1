import CNcurses
import FileBridge
import Forwarding
import JournalBridge
import NATSBridge
import RecordSources
import Records
import TestSupport
import Testing
import Timers

@testable import Terminal
@testable import busctl_rx

/// No text from outside may trap its reader, which takes it or refuses it. `make fuzz` runs this for longer, with Address Sanitizer. The
/// readers of filters, of a tap's frames and of journal files have fuzzers of their own.
@Suite("Damaged texts")
struct HostileTextTests {
    /// One reader of texts from outside.
    struct Reader: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Texts that it takes.
        let samples: [String]
        /// Whether it takes a text.
        let takes: @Sendable ([UInt8]) -> Bool

        init(_ name: String, _ samples: [String], _ takes: @escaping @Sendable ([UInt8]) -> Bool) {
            (testDescription, self.samples, self.takes) = (name, samples, takes)
        }

        /// A reader of what is UTF-8 already.
        static func ofText(_ name: String, _ samples: [String], _ read: @escaping @Sendable (String) throws -> Any?)
            -> Reader
        {
            Reader(name, samples) { bytes in
                do { return try read(String(decoding: bytes, as: UTF8.self)) != nil } catch {
                    return "\(error)".isEmpty
                }
            }
        }
    }

    static let readers: [Reader] = [
        Reader(
            "export streams",
            [
                "__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1700000000000000\nMESSAGE=hello\nPRIORITY=6\n\n__CURSOR=c\nX=1\n\n",
                "__CURSOR=a\n__REALTIME_TIMESTAMP=1\n_BOOT_ID=0123456789abcdef0123456789abcdef\n"
                    + "MESSAGE\n\u{5}\0\0\0\0\0\0\0a\nb=c\nUNIT=x\n\n",
            ],
            takesExport
        ),
        Reader(
            "JSON lines",
            [#"{"time":"2026-11-28T10:00:00Z","level":"error","msg":"a\u00e9\n","n":-1.5e3,"o":{"a":[1,true,null]}}"#]
        ) {
            guard let object = JSONObject($0) else { return false }
            return object.withExactFields { $0.reduce(0) { $0 + $1.value.text.utf8.count } }
                + (object.time == nil ? 0 : 1) >= 0
        },
        Reader("logfmt", [#"time=2026-11-28T10:00:00Z level=info msg="a \"b\" \\n" n=1 empty= flag x.y=z"#]) { bytes in
            bytes.withUnsafeBytes { Logfmt.read($0) } != nil
        },
        .ofText(
            "times",
            [
                "2026-11-28 10:00:00", "2026-11-28T10:00:00.123456+01:00", "@1700000000.5", "yesterday", "-1h30m",
            ]
        ) {
            RecordTime(written: $0)
        },
        .ofText("durations", ["1m30s", "500ms", "2h", "10d"]) { Duration(written: $0) },
        .ofText(
            "calendars",
            ["Mon..Fri *-*-* 09:00/15:30 Europe/Berlin", "*-02-29,30 00:00:00.5 UTC", "Sat *-*~7/1 10,12..14:*:0/20"]
        ) {
            try CalendarSchedule($0).description
        },
        .ofText("cron", ["*/5 9-17 * * 1-5", "0 0 29 feb sun,mon", "@daily", "15,45 */2 1-31/3 jan-dec *"]) {
            try CalendarSchedule(cron: $0).description
        },
        .ofText("templates", ["{time} {message} {user.id|-}\\n", "{{x}} {severity:number} {tags[0]}\\t"]) {
            try RecordTemplate($0)
        },
        .ofText("places in logs", ["inode=917532;offset=4711;tail=64:9c1f0a77d2e4b815"]) {
            FilePlace($0).map { #expect(FilePlace($0.description) == $0) }
        },
        .ofText("places of forwarding", ["s=1;i=2\n77\n2026-11-28T10:00:00Z", "\n0", ""]) {
            let lines = $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return try ForwardPlace(lines: lines, path: "f").text
        },
        .ofText(
            "sources",
            [
                "ssh:user@web-1:2222", "ssh:[fe80::1]:22", "https://web-1:19531", "http://[::1]:19531/",
                "nats://u:p@127.0.0.1:4222/a.>?from=first",
                "dbus:system", "json:/var/log/app.json", "every:10s", "calendar:Mon 09:00", "signals:HUP,USR1",
                "run:echo hello", "unix:/run/tap",
            ]
        ) { try SourceKinds.standard.source($0) },
        .ofText(
            "addresses of NATS",
            ["nats://user:secret@hub:4222,hub2:4222/a.b", "tls://[::1]:4222/x%20y", "nats://h"]
        ) {
            try NATSAddress.parse($0[...])
        },
        .ofText(
            "addresses of receivers",
            ["otlp+https://user.example:4318/otlp?headers=/etc/h&ca=/etc/ca.pem&proxy=http://p:1"]
        ) {
            try OTLPAddress($0)
        },
        Reader("answers of receivers", ["\n\u{10}\u{8}\u{3}\u{12}\u{c}no room here", ""]) {
            do { return try OTLPResponse($0).rejected >= 0 } catch { return "\(error)".isEmpty }
        },
        .ofText("configuration files", ["# a\n-n 5\n@errors = priority <= err && unit == \"a\"\n--no-pager\n"]) {
            try Configuration(
                path: "f",
                lines: $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            )
        },
        .ofText("highlights and fields", ["a.b[0].c", #"a["x.y"]"#, "MESSAGE", "fields.level"]) { try FieldPath($0) },
        Reader(
            "counts of other machines",
            [
                """
                {"counts":1}
                {"time":"2026-11-23T21:00:00.000000Z","unit":"nginx.service","count":3}
                {"time":"2026-11-23T21:00:00.000000Z","unit":null,"count":1}
                {"source":"journal","gap":true,"message":"journal file is damaged"}
                {"total":4,"others":0}

                """
            ],
            takesCounts
        ),
        Reader("keys of a terminal", ["a\u{1B}[1;5C日\u{1B}[200~pasted\n\u{1B}[201~\r\t\u{7F}\u{3}\u{1B}OP"]) { bytes in
            var decoder = InputDecoder(keys: [CInt(KEY_UP): .up])
            var count = 0
            for byte in bytes {
                decoder.take(CInt(byte))
                count += decoder.takeEvents().count
            }
            return count > 0
        },
    ]

    private static func takesExport(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        var reader = ExportReader("stream", refusesUnfinished: true) { (buffer) throws(JournalError) in
            // In pieces, which end anywhere.
            let part = rest.prefix(min(buffer.count, 7))
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var entries = 0
        while true {
            guard let step = try? reader.advanceToAny() else { return false }
            switch step {
            case .end: return entries > 0
            case .cut: return false
            case .skipped: continue
            case .entry:
                entries += 1
                _ = JournalContent(reader.entry()).footprint
            }
        }
    }

    private static func takesCounts(_ bytes: [UInt8]) -> Bool {
        var reader = CountLinesReader(
            RecordGrouping(fields: [FieldPath(name: "unit")], every: .seconds(3600)),
            of: "web-1"
        )
        do {
            try bytes.withUnsafeBytes { try reader.take($0) }
            return try reader.end().counts.total >= 0
        } catch {
            return "\(error)".isEmpty
        }
    }

    @Test("are taken or refused with words", arguments: readers)
    func damaged(_ reader: Reader) {
        for sample in reader.samples { #expect(reader.takes(Array(sample.utf8)), "\(sample)") }
        let fuzzing = Fuzzing("TEXT", rounds: 300, stress: 20_000)
        var taken = 0
        let inputs = fuzzing.run { generator, _ in
            let sample = generator.pick(reader.samples)
            if reader.takes(generator.damaged(Array(sample.utf8))) { taken += 1 }
        }
        // Texts that are all refused would exercise little.
        #expect(taken > inputs / 10)
        if fuzzing.isAsked { print("\(reader.testDescription): \(inputs) texts, \(taken) of them taken") }
    }
}
