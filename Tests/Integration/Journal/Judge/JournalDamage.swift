import JournalWriter
import TestSupport

/// A journal file's bytes after they were damaged.
struct JournalDamage {
    private(set) var bytes: [UInt8]
    /// A description of the damage.
    private(set) var told: [String] = []

    private let form: JournalFileForm
    private let places: [JournalFilePlace]
    private var random: SeededGenerator

    init(_ writer: JournalFileWriter, seed: UInt64) {
        bytes = writer.bytes()
        form = writer.form
        places = writer.places
        random = SeededGenerator(seed &* 31 &+ 7)
    }

    /// One or a few kinds of damage out of all kinds.
    mutating func strike() {
        // A file that was cut to nothing cannot be damaged further.
        for _ in 0..<random.pick([1, 1, 1, 2, 5]) where !bytes.isEmpty {
            switch random.number(0..<10) {
            case 0: flipBits()
            case 1: overwrite()
            case 2: truncate()
            case 3: breakHeader()
            case 4: breakObject()
            case 5: breakEntry()
            case 6: breakData()
            case 7: breakFieldOrTable()
            default: breakArray()
            }
        }
    }

    /// Damage that only removes entries.
    mutating func lose() {
        switch random.number(0..<3) {
        case 0: truncate()
        case 1:
            let entry = place(.entry)
            fill(entry.offset..<entry.offset + entry.size, with: 0)
            told.append("zeroes ENTRY at \(entry.offset)")
        default:
            let array = place(.entryArray)
            write(UInt8(0), at: array.offset + JournalObjectField.type, "type of ENTRY_ARRAY at \(array.offset)")
        }
    }

    // MARK: Blind

    private mutating func flipBits() {
        for _ in 0..<random.pick([1, 2, 8, 64]) {
            let (offset, bit) = (random.number(0..<bytes.count), random.number(0..<8))
            bytes[offset] ^= 1 << UInt8(bit)
            told.append("flips bit \(bit) at \(offset)")
        }
    }

    private mutating func overwrite() {
        let start = random.number(0..<bytes.count)
        let end = min(start + random.pick([1, 8, 64, 512, 4096]), bytes.count)
        switch random.number(0..<3) {
        case 0: fill(start..<end, with: 0)
        case 1: fill(start..<end, with: 0xFF)
        default: for index in start..<end { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
        }
        told.append("overwrites \(start)..<\(end)")
    }

    private mutating func truncate() {
        let count =
            random.chance(20)
            ? random.number(0..<bytes.count) : bytes.count / random.number(1..<4) - random.number(0..<9)
        bytes.removeLast(bytes.count - max(count, 0))
        told.append("cuts to \(bytes.count)")
    }

    // MARK: Aimed

    private mutating func breakHeader() {
        typealias Field = JournalFileWriter.HeaderField
        let numbers = [
            Field.headerSize, Field.arenaSize, Field.dataTable, Field.dataTable + 8, Field.fieldTable,
            Field.fieldTable + 8,
            Field.tailObject, Field.objectCount, Field.entryCount, Field.tailSequence, Field.headSequence,
            Field.entryArray,
        ]
        switch random.number(0..<12) {
        case 0: write(UInt8(3), at: Field.state, "state")
        case 1: write(UInt32(random.number(0..<64)), at: Field.incompatibleFlags, "flags")
        default:
            let field = random.pick(numbers)
            write(wild(near: field), at: field, "header field at \(field)")
        }
    }

    private mutating func breakObject() {
        let object = random.pick(places)
        let name = "\(object.kind) at \(object.offset)"
        switch random.number(0..<4) {
        case 0: fill(object.offset..<object.offset + object.size, with: 0)
        case 1: write(UInt8(random.number(0..<9)), at: object.offset, "type of \(name)")
        case 2: write(UInt8(random.number(0..<9)), at: object.offset + JournalObjectField.flags, "flags of \(name)")
        default: write(wildSize(object), at: object.offset + JournalObjectField.size, "size of \(name)")
        }
        told.append("breaks \(name)")
    }

    private mutating func breakEntry() {
        typealias Field = JournalObjectField
        let entry = place(.entry)
        switch random.number(0..<4) {
        case 0: write(wild(near: entry.offset + Field.sequence), at: entry.offset + Field.sequence, "seqnum of ENTRY")
        case 1: write(wild(near: entry.offset + Field.realtime), at: entry.offset + Field.realtime, "realtime of ENTRY")
        default:
            let count = (entry.size - Field.items) / form.entryItemSize
            let item = entry.offset + Field.items + random.number(0..<max(count, 1)) * form.entryItemSize
            writeOffset(wildOffset(), at: item, "item of ENTRY at \(entry.offset)")
        }
    }

    private mutating func breakData() {
        typealias Field = JournalObjectField
        let data = place(.data)
        let name = "DATA at \(data.offset)"
        switch random.number(0..<8) {
        case 0: write(UInt64(data.offset), at: data.offset + Field.nextHash, "loop in hash chain of \(name)")
        case 1: write(wildOffset(), at: data.offset + Field.nextHash, "next_hash of \(name)")
        case 2: write(wildOffset(), at: data.offset + Field.nextField, "next_field of \(name)")
        case 3: write(wildOffset(), at: data.offset + Field.entryOffset, "entry_offset of \(name)")
        case 4: write(wildOffset(), at: data.offset + Field.entryArray, "entry_array of \(name)")
        case 5:
            write(
                wild(near: data.offset + Field.entryCount),
                at: data.offset + Field.entryCount,
                "n_entries of \(name)"
            )
        case 6: write(random.next(), at: data.offset + Field.hash, "hash of \(name)")
        default:
            let payload = data.offset + form.payloadStart
            write(UInt8(truncatingIfNeeded: random.next()), at: payload + random.number(0..<20), "payload of \(name)")
        }
    }

    private mutating func breakFieldOrTable() {
        typealias Field = JournalObjectField
        switch random.number(0..<4) {
        case 0:
            let field = place(.field)
            write(wildOffset(), at: field.offset + Field.headData, "head_data of FIELD at \(field.offset)")
        case 1:
            let field = place(.field)
            write(
                UInt64(field.offset),
                at: field.offset + Field.nextHash,
                "loop in hash chain of FIELD at \(field.offset)"
            )
        default:
            let table = place(random.chance(50) ? .dataHashTable : .fieldHashTable)
            let word = random.number(0..<(table.size - Field.buckets) / 8)
            write(wildOffset(), at: table.offset + Field.buckets + 8 * word, "bucket of \(table.kind)")
        }
    }

    private mutating func breakArray() {
        typealias Field = JournalObjectField
        let array = place(.entryArray)
        let name = "ENTRY_ARRAY at \(array.offset)"
        let count = max((array.size - Field.slots) / form.slotSize, 1)
        let slot = array.offset + Field.slots + random.number(0..<count) * form.slotSize
        switch random.number(0..<5) {
        case 0: write(UInt64(array.offset), at: array.offset + Field.nextArray, "loop in \(name)")
        case 1: write(UInt64(place(.entryArray).offset), at: array.offset + Field.nextArray, "crossed next of \(name)")
        case 2: write(wildOffset(), at: array.offset + Field.nextArray, "next of \(name)")
        case 3: writeOffset(UInt64(place(.entry).offset), at: slot, "slot \(slot) of \(name), with another entry,")
        default: writeOffset(wildOffset(), at: slot, "slot \(slot) of \(name)")
        }
    }

    // MARK: Values

    private mutating func place(_ kind: JournalFilePlace.Kind) -> JournalFilePlace {
        random.pick(places.filter { $0.kind == kind } + (places.contains { $0.kind == kind } ? [] : places))
    }

    /// An offset of another object, of none, or beyond the file.
    private mutating func wildOffset() -> UInt64 {
        let object = UInt64(random.pick(places).offset)
        return random.pick([
            0, 1, 8, 64, object, object + 8, object + 3, UInt64(bytes.count), UInt64(bytes.count) &- 8, .max, .max - 7,
            1 << 63,
            UInt64(UInt32.max),
        ])
    }

    private mutating func wildSize(_ object: JournalFilePlace) -> UInt64 {
        let size = UInt64(object.size)
        return random.pick([
            0, 1, 15, 16, 24, 63, 64, size - 8, size + 8, size * 2, UInt64(bytes.count), 1 << 32, .max, .max - 7,
        ])
    }

    /// A replacement for the number at this place.
    private mutating func wild(near offset: Int) -> UInt64 {
        guard offset + 8 <= bytes.count else { return 0 }
        let number = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
        return random.pick([
            0, 1, number &+ 1, number &- 1, number &+ 50, number / 2, number &* 2, 1 << 40, 1 << 55, .max, .max - 7,
        ])
    }

    private mutating func fill(_ range: Range<Int>, with byte: UInt8) {
        for index in range where index < bytes.count { bytes[index] = byte }
    }

    private mutating func writeOffset(_ offset: UInt64, at place: Int, _ what: String) {
        if form.isCompact {
            write(UInt32(truncatingIfNeeded: offset), at: place, what)
        } else {
            write(offset, at: place, what)
        }
    }

    private mutating func write<Number: FixedWidthInteger>(_ number: Number, at offset: Int, _ what: String) {
        told.append("sets \(what) to \(number)")
        withUnsafeBytes(of: number.littleEndian) { source in
            for (index, byte) in source.enumerated() where offset + index < bytes.count { bytes[offset + index] = byte }
        }
    }
}
