import Testing
@testable import Timers

@Suite("The check of what instances of a job have written")
struct OutcomesTests {
    private static let good = """
        100 7 1 1 begin
        100 7 1 1 end
        101 8 2 1 begin
        102 9 1 1 begin
        101 8 2 1 end
        102 9 1 1 end

        """

    private func record(_ number: UInt64) -> JobRecord {
        var record = JobRecord(done: TimerInstant(nanoseconds: 102_000_000_000), at: TimerInstant(nanoseconds: 0))
        record.number = number
        var entry = JobRecord.Entry(time: TimerInstant(nanoseconds: 102_000_000_000))
        entry.number = 9
        record.last = JobRecord.Last(entry: entry, end: .succeeded)
        return record
    }

    private func findings(_ text: String, number: UInt64 = 9, given: Set<Int64>? = nil) -> [String] {
        Outcomes(text).findings(record(number), through: 102, given: given)
    }

    @Test("A line with a lower number than one before it is not taken")
    func accepted() {
        #expect(Outcomes(Self.good).accepted.map(\.number) == [7, 7, 8, 9, 9])
        #expect(findings(Self.good) == ["101 did not run to its end"])
        #expect(findings(Self.good + "101 10 2 2 begin\n101 10 2 2 end\n", number: 10) == [])
        #expect(findings(Self.good, given: [100]) == ["101 did not run to its end"])
        #expect(findings(Self.good, given: [101]) == [])
    }

    @Test(
        "Faults are found",
        arguments: [
            "103 9 2 1 begin\n": "2 runs have the number 9", "103 10 2 1 end\n": "an end without a beginning",
            "102 9 1 1 end\n": "twice", "x\n": "an unreadable line: x", "103 11 1 1 begin\n": "the run 11 is not in",
        ]
    )
    func faults(line: String, finding: String) {
        #expect(findings(Self.good + line, number: 10).contains { $0.contains(finding) })
    }

    @Test("Faults of the whole are found")
    func faultsOfTheWhole() {
        #expect(findings("").contains("nothing ran"))
        #expect(findings(String(Self.good.prefix(64))).contains { $0.contains("a success that wrote nothing") })
        let again = Self.good + "101 10 2 1 begin\n101 10 2 1 end\n"
        #expect(findings(again, number: 10, given: []) == ["101 ran 2 times"])
    }
}
