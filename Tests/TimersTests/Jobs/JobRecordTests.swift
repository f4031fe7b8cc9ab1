import TestSupport
import Testing
@testable import Timers

@Suite("JobRecord")
struct JobRecordTests {
    private static let text = """
        job 1
        revision 17
        done 2026-03-02T02:30:00Z
        number 1772420017
        missed 0
        last timed-out 2026-03-01T02:30:00.250Z attempt 1 missed 2 number 1772420016
        running 2026-03-02T02:30:00Z attempt 1 missed 0 number 1772420017
        waiting 2026-03-02T03:30:00.000001Z attempt 1 missed 0
        waiting 2027-01-04T08:00:00Z attempt 1 missed 0 id reminder-7
        end

        """

    @Test("is read as it was written")
    func read() throws {
        #expect(try JobRecord(text: Self.text).text == Self.text)
    }

    @Test("a record of revision 0, which a text may have, takes no other's place")
    func revisionZero() throws {
        let record = try JobRecord(text: Self.text.replacing("revision 17", with: "revision 0"))
        #expect(!record.follows(nil) && !record.follows(record))
        let next = try JobRecord(text: Self.text.replacing("revision 17", with: "revision 1"))
        #expect(next.follows(nil) && next.follows(record) && !next.follows(next))
    }

    @Test("random records are read as they were written")
    func random() throws {
        var random = SeededGenerator(7)
        for _ in 0..<200 {
            var record = JobRecord(
                done: TimerInstant(nanoseconds: Int64(random.number(0..<Int.max))),
                at: .init(nanoseconds: 0)
            )
            record.number = .random(in: 100...UInt64(Int64.max), using: &random)
            record.grant = random.chance(50) ? .random(in: 0...UInt64(Int64.max), using: &random) : nil
            for place in 0..<random.number(0..<5) {
                let time = TimerInstant(nanoseconds: .random(in: -9_000_000_000_000_000_000 ... .max, using: &random))
                record.entries.append(
                    JobRecord.Entry(
                        id: random.chance(50) ? "\(place)" + String(decoding: random.bytes(9), as: UTF8.self) : nil,
                        time: time,
                        attempt: random.number(1..<9),
                        missed: random.number(0..<9),
                        number: random.chance(50) ? UInt64(random.number(0..<100)) : nil
                    )
                )
            }
            #expect(try JobRecord(text: record.text) == record)
        }
    }

    @Test(
        "a text that is not a record is refused, with the line",
        arguments: [
            ("", 1), ("job 2\n", 1), ("job 1\nrevision -1\n", 2), ("job 1\nrevision 1\ndone yesterday\n", 3),
            (text.replacing("02:30:00Z attempt 1 missed 0 n", with: "02:30:00Z attempt 0 missed 0 n"), 7),
            (text.replacing("missed 0 number 1772420017", with: "missed 0 number 1772420018"), 7),
            (text.replacing("waiting 2026", with: "running 2026"), 8),
            (text.replacing("last timed", with: "last tamed"), 6),
            (text.replacing("\nend\n", with: "\n"), 10), (text + "more\n", 10),
            (text.replacing("\nend\n", with: "\nend"), 10),
            (text.replacing("2027-01-04", with: "2027-02-30"), 9),
            // Numbers that could not grow.
            (text.replacing("revision 17", with: "revision \(UInt64.max)"), 2),
            (text.replacing("\nnumber 1772420017", with: "\nnumber 9223372036854775808"), 4),
            (text.replacing("\nmissed 0", with: "\nmissed 2147483648"), 5),
            (text.replacing("\nmissed 0", with: "\nmissed 0\ngrant 9223372036854775808"), 6),
            (text.replacing("attempt 1 missed 2", with: "attempt \(Int.max) missed 2"), 6),
            (text.replacing("attempt 1 missed 2", with: "attempt 1 missed \(Int.max)"), 6),
            (text.replacing("waiting 2027-01-04T08:00:00Z attempt 1 missed 0 id reminder-7\n", with: "") + "", nil),
        ] as [(String, Int?)]
    )
    func refused(text: String, line: Int?) {
        if let line {
            let error = #expect(throws: JobRecordError.self) { try JobRecord(text: text) }
            #expect(error?.line == line, "\(error as Any)")
        } else {
            #expect(throws: Never.self) { try JobRecord(text: text) }
        }
    }

    @Test("a cut or changed text is refused or is another record, and nothing else happens")
    func damage() {
        var random = SeededGenerator(11)
        for _ in 0..<2000 {
            var bytes = Array(Self.text.utf8)
            if random.chance(50) { bytes.removeLast(random.number(1..<bytes.count)) }
            for _ in 0..<random.number(0..<4) { bytes[random.number(0..<bytes.count)] = UInt8(random.number(0..<256)) }
            guard let text = String(validating: bytes, as: UTF8.self), let record = try? JobRecord(text: text) else {
                continue
            }
            #expect((try? JobRecord(text: record.text)) == record)
        }
    }
}
