import JournalWriter
import TestSupport

/// Generates sets of journal files: as machines write them, and as they become when files are copied, imported and
/// mixed.
struct JournalGenerator {
    typealias File = GeneratedJournals.File

    static let maxFiles = 5

    var random: SeededGenerator
    private var clock: UInt64 = 1_700_000_000_000_000
    /// Numbers the boots. Machines never share a boot, except by imports.
    private var unique = 0
    private var boots: [ID128] = []

    init(seed: UInt64) { random = SeededGenerator(seed) }

    mutating func journals() -> GeneratedJournals {
        let entries = history()
        var files = arranged(entries, as: ID128(using: &random))
        for _ in 0..<random.number(0..<4) { files += related(to: files) }
        // journald begins a new file when its clock goes back. A few files are as earlier versions wrote them.
        if random.chance(90) { files = files.flatMap { Self.rotatedWhereTimeGoesBack($0) } }
        files.shuffle(using: &random)
        let states = random.chance(20) ? JournalFileForm.State.allCases : [.offline, .archived]
        return GeneratedJournals(files: files.prefix(Self.maxFiles).map { withForm($0, states) })
    }

    /// The log of one machine over several boots.
    private mutating func history() -> [JournalFileEntry] {
        var entries: [JournalFileEntry] = []
        var time = clock + UInt64(random.number(0..<500))
        var sequence: UInt64 = 0
        let maxLength = random.chance(2) ? 150 : 25
        let bootFields = random.chance(90) ? 100 : random.pick([0, 50, 90])
        for _ in 0..<random.number(1..<5) {
            let boot = ID128(using: &random)
            boots.append(boot)
            var monotonic = UInt64(random.number(1..<50))
            for _ in 0..<random.number(1..<maxLength) {
                sequence += UInt64(random.pick([1, 1, 1, 2, 10]))
                time += UInt64(random.pick([0, 1, 1, 3, 40]))
                monotonic += UInt64(random.pick([0, 1, 1, 3, 40]))
                let fields = fields(boot: random.chance(bootFields) ? boot : nil)
                entries.append(
                    JournalFileEntry(
                        sequence: sequence,
                        realtime: time,
                        monotonic: monotonic,
                        boot: boot,
                        fields: fields
                    )
                )
            }
            // The clock is set between boots.
            time = UInt64(Int(time) + random.pick([0, 5, 1_000_000, -random.number(1..<300)]))
        }
        return entries
    }

    /// In one file, in rotated files, or in two files written at the same time.
    private mutating func arranged(_ entries: [JournalFileEntry], as sequenceID: ID128) -> [File] {
        var form = JournalFileForm()
        form.sequenceID = sequenceID
        form.machineID = ID128(using: &random)
        switch random.number(0..<4) {
        case 0: return [File(form: form, entries: entries)]
        case 1:
            let marks = entries.map { _ in random.chance(60) }
            return [true, false].map { mark in
                File(form: form, entries: zip(entries, marks).filter { $0.1 == mark }.map(\.0))
            }
        default:
            let cuts = (0..<random.number(1..<4)).map { _ in random.number(0..<entries.count + 1) }.sorted()
            return zip([0] + cuts, cuts + [entries.count]).map { File(form: form, entries: Array(entries[$0..<$1])) }
        }
    }

    /// Additional files in the same folder: copies, imports, another machine's files, a sequence that started again,
    /// nothing.
    private mutating func related(to files: [File]) -> [File] {
        var file = random.pick(files)
        switch random.number(0..<8) {
        case 0: return arranged(history(), as: ID128(using: &random))
        case 1: return [file]
        case 2:
            file.entries.removeAll { _ in random.chance(30) }
            return [file]
        case 3, 4:
            // Imported: the same entries under other numbers.
            file.form.sequenceID = ID128(using: &random)
            for index in file.entries.indices { file.entries[index].sequence = UInt64(index + 1) }
            if random.chance(50) { file.entries.removeAll { _ in random.chance(30) } }
            return [file]
        case 5:
            // The boot continues under another sequence.
            guard var entry = file.entries.last else { return [] }
            file.form.sequenceID = ID128(using: &random)
            file.entries = (1..<random.number(2..<20)).map { number in
                entry.sequence = UInt64(number)
                entry.realtime += UInt64(random.pick([0, 1, 3, 40]))
                entry.monotonic += UInt64(random.pick([0, 1, 3, 40]))
                entry.fields = fields(boot: entry.boot)
                return entry
            }
            return [file]
        case 6:
            // The same numbers for different entries.
            let isLater = random.chance(50)
            for index in file.entries.indices {
                if isLater { file.entries[index].monotonic += 1 }
                if !isLater, random.chance(30) { file.entries[index].fields.append(Array("OTHER=1".utf8)) }
            }
            return [file]
        default:
            file.entries = []
            return [file]
        }
    }

    private static func rotatedWhereTimeGoesBack(_ file: File) -> [File] {
        var files: [File] = []
        var current = File(form: file.form, entries: [])
        for entry in file.entries {
            if let last = current.entries.last, last.realtime > entry.realtime {
                files.append(current)
                current.entries = []
            }
            current.entries.append(entry)
        }
        return files + [current]
    }

    /// Every file has its own form.
    private mutating func withForm(_ file: File, _ states: [JournalFileForm.State]) -> File {
        var file = file
        file.form.fileID = ID128(using: &random)
        file.form.isCompact = random.chance(50)
        file.form.isKeyed = random.chance(70)
        file.form.compression = random.pick(PayloadCompression.allCases)
        file.form.compressionThreshold = random.pick([8, 64, 512])
        file.form.headerSize = file.form.isCompact ? random.pick([264, 272]) : random.pick(JournalFileForm.headerSizes)
        if file.form.headerSize >= 240, random.chance(10) { file.form.tagInterval = random.number(1..<10) }
        file.form.state = random.pick(states)
        file.form.dataBuckets = random.pick([1, 7, 233])
        file.form.fieldBuckets = random.pick([1, 7, 33])
        file.form.arrayCapacity = random.pick([.growing, .fixed(1), .fixed(2), .fixed(5)])
        file.form.isPadded = random.chance(50)
        return file
    }

    private mutating func fields(boot: ID128?) -> [[UInt8]] {
        var fields: [[UInt8]] = []
        let count = random.pick([1, 2, 4, 6, 8, 8, 12, 60])
        while fields.count < count {
            if fields.count == 1, let boot { fields.append(Array("_BOOT_ID=\(boot)".utf8)) }
            if !fields.isEmpty, random.chance(5) { fields.append(random.pick(fields)) }
            let names = ["MESSAGE", "PRIORITY", "PRIORITY", "TAG", "TAG", "_SYSTEMD_UNIT", "_PID"]
            let name = random.chance(80) ? random.pick(names) : "FIELD_\(random.number(0..<60))"
            fields.append(Array("\(name)=".utf8) + value())
        }
        return fields
    }

    private mutating func value() -> [UInt8] {
        switch random.number(0..<40) {
        case 0: return []
        case 1: return random.bytes(random.number(1..<20))
        case 2: return random.bytes(random.number(500..<700))
        case 3, 4: return Array(String(repeating: "large \(unique) ", count: random.number(5..<600)).utf8)
        case 5..<12:
            unique += 1
            return Array("message \(unique)".utf8)
        default: return Array("\(random.number(0..<5))".utf8)
        }
    }
}
