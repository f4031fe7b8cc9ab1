import Filter
import Glibc

extension Benchmark {
    /// One expression on prepared records, and its compilation.
    static let filter = Benchmark(name: "filter") { settings, report in
        let filter = try CompiledFilter(expression, schema: SampleSchema())
        let records = SampleRecord.all
        let evaluation = Contest(
            name: "filter, evaluated",
            events: 2_048_000,
            expected: { matches(among: records, count: $0, byHand) },
            contenders: [
                .ours { count in matches(among: records, count: count) { filter.matches($0) } },
                .floor("bytes by hand") { count in matches(among: records, count: count, byHand) },
                .instead("Swift Regex", fewer: 20) { count in
                    let pattern = /time.?out/
                    return matches(among: records, count: count) { record in
                        record.priority <= 3 && record.unit == "nginx.service" && record.message.contains(pattern)
                    }
                },
            ]
        )
        report.add(try evaluation.run(settings))

        let compilation = Contest(
            name: "filter, compiled",
            events: 8_000,
            expected: { UInt64($0) &* 3 },
            contenders: [
                .ours { count in
                    var fields = 0
                    for _ in 0..<count { fields += try CompiledFilter(expression, schema: SampleSchema()).fields.count }
                    return UInt64(fields)
                }
            ]
        )
        report.add(
            try compilation.run(settings),
            bounds: [Bound(name: "compiling a filter", limit: .median(atMost: 100_000))]
        )
    }

    private static let expression = #"priority <= err && unit == "nginx.service" && message =~ "time.?out""#

    @inline(__always)
    private static func matches(
        among records: [SampleRecord],
        count: Int,
        _ matches: (SampleRecord) -> Bool
    ) -> UInt64 {
        var hits: UInt64 = 0
        for number in 0..<count where matches(records[number & 1023]) { hits += 1 }
        return hits
    }

    private static let wantedUnit: StaticString = "nginx.service"

    /// The same test with C's functions, for this pattern only.
    private static func byHand(_ record: SampleRecord) -> Bool {
        guard record.priority <= 3, record.unitBytes.count == wantedUnit.utf8CodeUnitCount,
            let unit = record.unitBytes.baseAddress,
            memcmp(unit, wantedUnit.utf8Start, wantedUnit.utf8CodeUnitCount) == 0
        else { return false }
        // Ends in a zero byte; see `SampleRecord`.
        guard var rest = record.messageBytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
        while let found = strstr(rest, "time") {
            rest = UnsafePointer(found) + 4
            if strncmp(rest, "out", 3) == 0 || (rest[0] != 0 && strncmp(rest + 1, "out", 3) == 0) { return true }
        }
        return false
    }
}
