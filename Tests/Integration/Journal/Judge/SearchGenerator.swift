import Foundation
import JournalWriter
import TestSupport

/// Generates journals whose values are worth searching, and filters that look for some of them.
struct SearchGenerator {
    var random: SeededGenerator
    private var unique = 0
    /// The times of the last journals' entries.
    private var times: [UInt64] = []

    init(seed: UInt64) { random = SeededGenerator(seed) }

    // MARK: Journals

    /// The log of one machine, in consecutive files or in files written alternately.
    mutating func journals() -> GeneratedJournals {
        let entries = history()
        var form = JournalFileForm()
        form.sequenceID = ID128(using: &random)
        let count = random.number(1..<4)
        let inTurn = random.chance(40)
        var parts = [[JournalFileEntry]](repeating: [], count: count)
        for (index, entry) in entries.enumerated() {
            parts[inTurn ? random.number(0..<count) : index * count / entries.count].append(entry)
        }
        var files: [GeneratedJournals.File] = []
        for part in parts {
            var form = form
            form.fileID = ID128(using: &random)
            form.isCompact = random.chance(50)
            form.isKeyed = random.chance(70)
            form.compression = random.pick(PayloadCompression.allCases)
            form.compressionThreshold = random.pick([8, 64, 512])
            form.state = random.pick(JournalFileForm.State.allCases)
            form.arrayCapacity = random.pick([.growing, .fixed(1), .fixed(5)])
            form.isPadded = random.chance(50)
            if random.chance(20) { form.tagInterval = random.number(1..<50) }
            files.append(GeneratedJournals.File(form: form, entries: part))
        }
        return GeneratedJournals(files: files)
    }

    /// The path of one of such files, damaged.
    mutating func damagedFile(seed: UInt64, in folder: TemporaryFolder) throws -> String {
        let file = random.pick(journals().files)
        var damage = JournalDamage(file.writer, seed: seed)
        damage.strike()
        let path = folder.path("damaged.journal")
        try Data(damage.bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private mutating func history() -> [JournalFileEntry] {
        var boot = ID128(using: &random)
        var time: UInt64 = 1_700_000_000_000_000
        var sinceBoot: UInt64 = 100_000_000_000_000
        let needle = random.pick([0, 1, 1, 5, 30])
        // In the second case the entries are some seconds apart.
        let pace = random.pick([1, 200_000, 200_000])
        let changes = random.chance(50) ? 0 : random.number(1..<8)
        let entries = (1...random.number(300..<900)).map { number in
            let passed = UInt64(random.number(1..<50) * pace)
            time += passed
            sinceBoot += passed
            if random.number(0..<600) < changes {
                // The clock is set, or the machine starts again. Never by so little that it looks like a correction.
                let seconds = random.number(10..<5000) * random.pick([-1, 1])
                time = UInt64(Int(time) + seconds * 1_000_000)
                if random.chance(50) { (boot, sinceBoot) = (ID128(using: &random), 1_000_000) }
            }
            return JournalFileEntry(
                sequence: UInt64(number),
                realtime: time,
                monotonic: sinceBoot,
                boot: boot,
                fields: fields(boot, needle)
            )
        }
        times = entries.map(\.realtime)
        return entries
    }

    private mutating func fields(_ boot: ID128, _ needle: Int) -> [[UInt8]] {
        var fields = ["_BOOT_ID=\(boot)", "PRIORITY=\(random.pick([6, 6, 6, 6, 5, 4, 3, 2]))"]
        if random.chance(95) { fields.append("MESSAGE=\(message(needle))") }
        // The filter compares only the first value.
        if random.chance(3) { fields.append("MESSAGE=\(message(needle))") }
        if random.chance(90) { fields.append("SYSLOG_IDENTIFIER=\(random.pick(Self.identifiers))") }
        if random.chance(2) { fields.append("SYSLOG_IDENTIFIER=rare") }
        if random.chance(80) { fields.append("_PID=\(random.number(1..<300))") }
        if random.chance(80) { fields.append("_SYSTEMD_UNIT=\(unit())") }
        if random.chance(5) { fields += ["UNIT=\(unit())", "_PID=1"] }
        if random.chance(5) { fields += ["OBJECT_SYSTEMD_UNIT=\(unit())", "_UID=0"] }
        if random.chance(1) { fields.append("DOCUMENTATION=man:one(1)") }
        if random.chance(2) { fields.append("TEXT=" + String(repeating: "long ", count: random.number(100..<60_000))) }
        return fields.map { Array($0.utf8) }
    }

    private mutating func unit() -> String { "worker\(random.number(0..<120)).service" }

    private mutating func message(_ needle: Int) -> String {
        unique += random.chance(85) ? 1 : 0
        var words = "message \(unique) of \(random.pick(["alpha", "beta", "gamma"]))"
        if random.number(0..<1000) < needle { words += " needle \(random.number(0..<5))" }
        if random.chance(3) { words += String(repeating: " padding", count: random.number(10..<200)) }
        return words
    }

    private static let identifiers = ["sshd", "kernel", "cron", "systemd", "nginx"]

    // MARK: Filters

    mutating func condition(_ depth: Int = 2) -> String {
        guard depth > 0, random.chance(60) else { return atom() }
        switch random.number(0..<5) {
        case 0, 1: return "(\(condition(depth - 1)) && \(condition(depth - 1)))"
        case 2, 3: return "(\(condition(depth - 1)) || \(condition(depth - 1)))"
        default: return "!(\(condition(depth - 1)))"
        }
    }

    /// The condition, perhaps with a span of time.
    mutating func timed(_ condition: String) -> String {
        guard random.chance(50), let first = times.randomElement(using: &random),
            let last = times.randomElement(using: &random)
        else { return condition }
        return
            "(\(condition)) && __REALTIME_TIMESTAMP >= \(min(first, last)) && __REALTIME_TIMESTAMP < \(max(first, last))"
    }

    private mutating func atom() -> String {
        if random.chance(15), let time = times.randomElement(using: &random) {
            return "__REALTIME_TIMESTAMP \(random.pick(["<", "<=", ">", ">=", "=="])) \(time)"
        }
        return random.pick([
            "unit =~ \"^worker4\"", "unit.startsWith(\"worker11\")", "unit == \"worker7.service\"",
            "unit.endsWith(\"7.service\") || UNIT =~ \"9\"", "_SYSTEMD_UNIT =~ \"^worker[1-3][0-9][.]\"",
            "message.contains(\"needle\")", "message.contains(\"needle 3\")", "message.contains(\"beta\")",
            "message.contains(\"nothing\")", "message =~ \"ne+dle [0-2]\"", "message.startsWith(\"message 1\")",
            "message == null", "size(message) > 200", "message.contains(\"message 77 \")",
            "identifier.startsWith(\"rar\")", "identifier == \"rare\"", "identifier in [\"nobody\", \"rare\"]",
            "identifier != \"sshd\"", "priority <= 3", "priority > 2", "pid == 77", "pid > 290", "pid % 100 == 7",
            "has(DOCUMENTATION)", "DOCUMENTATION.endsWith(\"(1)\")", "TEXT.startsWith(\"long\")", "size(TEXT) > 200000",
            "fields(\"MESSAGE\").size() > 1", "time > timestamp(\"2023-11-14T22:13:20.010Z\")", "true", "false",
        ])
    }
}
