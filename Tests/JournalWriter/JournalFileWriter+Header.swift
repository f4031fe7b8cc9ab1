extension JournalFileWriter {
    /// The header's counters, and the values it takes from entries.
    struct Counters {
        var data = 0
        var fields = 0
        var tags = 0
        var entryArrays = 0
        var head: JournalFileEntry?
        var tail: JournalFileEntry?

        mutating func note(_ entry: JournalFileEntry) {
            if head == nil { head = entry }
            tail = entry
        }
    }

    /// The offsets of the header's fields.
    package enum HeaderField {
        package static let incompatibleFlags = 12
        package static let state = 16
        package static let headerSize = 88
        package static let arenaSize = 96
        package static let dataTable = 104
        package static let fieldTable = 120
        package static let tailObject = 136
        package static let objectCount = 144
        package static let entryCount = 152
        package static let tailSequence = 160
        package static let headSequence = 168
        package static let entryArray = 176
    }

    mutating func writeHeader(data: HashTable, fields: HashTable, entries: EntryArrayChain, tail: Int) {
        image.put(Array("LPKSHHRH".utf8), at: 0)
        image.put(form.compatibleFlags, at: 8)
        image.put(form.incompatibleFlags, at: HeaderField.incompatibleFlags)
        image.put(form.state.rawValue, at: HeaderField.state)
        image.put(form.fileID.bytes, at: 24)
        image.put(form.machineID.bytes, at: 40)
        image.put(counters.tail?.boot.bytes ?? [], at: 56)
        image.put(form.sequenceID.bytes, at: 72)
        var numbers = [
            form.headerSize, image.count - form.headerSize, data.offset, data.size, fields.offset, fields.size, tail,
            places.count, entryCount,
        ].map { UInt64($0) }
        numbers += [counters.tail?.sequence ?? 0, counters.head?.sequence ?? 0]
        for (index, number) in numbers.enumerated() { image.put(number, at: HeaderField.headerSize + 8 * index) }
        let times = [counters.head?.realtime, counters.tail?.realtime, counters.tail?.monotonic]
        for (index, time) in times.enumerated() { image.put(time ?? 0, at: 184 + 8 * index) }
        // Added by later versions. Older headers end before them.
        let counts = [counters.data, counters.fields, counters.tags, counters.entryArrays, data.depth, fields.depth]
        for (index, count) in counts.enumerated() where form.headerSize >= 216 + 8 * index {
            image.put(UInt64(count), at: 208 + 8 * index)
        }
        guard form.headerSize >= 264 else { return }
        image.put(UInt32(entries.tail), at: 256)
        image.put(UInt32(entries.tailCount), at: 260)
        guard form.headerSize >= 272 else { return }
        image.put(UInt64(places.last { $0.kind == .entry }?.offset ?? 0), at: 264)
    }
}
