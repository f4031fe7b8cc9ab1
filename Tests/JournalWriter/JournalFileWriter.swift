/// Writes a file of systemd's journal in memory, for tests. It can write any form that journald has written, and any
/// times, boots and sequence numbers, including those that journald would not write.
///
/// ```swift
/// var writer = JournalFileWriter(form)
/// writer.append(JournalFileEntry(sequence: 1, realtime: 1, monotonic: 1, boot: boot, fields: [Array("A=b".utf8)]))
/// let bytes = writer.bytes()
/// ```
package struct JournalFileWriter {
    package let form: JournalFileForm
    /// The objects so far, in their order in the file.
    package private(set) var places: [JournalFilePlace] = []
    var image: ByteImage
    var counters = Counters()
    private var data: [[UInt8]: DataObject] = [:]
    private var fields: [[UInt8]: FieldObject] = [:]
    private var entries = EntryArrayChain(link: HeaderField.entryArray)
    private var dataTable = HashTable(offset: 0, buckets: 0)
    private var fieldTable = HashTable(offset: 0, buckets: 0)

    private struct DataObject {
        var offset: Int
        var hash: UInt64
        var chain: EntryArrayChain
        var entryCount = 0
    }

    private struct FieldObject {
        var offset: Int
        /// The newest DATA object of the field.
        var head = 0
    }

    package init(_ form: JournalFileForm) {
        self.form = form
        image = ByteImage(count: form.headerSize)
        fieldTable = addTable(.fieldHashTable, buckets: form.fieldBuckets)
        dataTable = addTable(.dataHashTable, buckets: form.dataBuckets)
    }

    package var entryCount: Int { entries.total }

    /// Adds an entry. Repeated fields are written once, and all fields in the order of their DATA objects.
    package mutating func append(_ entry: JournalFileEntry) {
        for field in entry.fields { addData(field) }
        let items = Set(entry.fields).compactMap { field in data[field].map { (field, $0) } }
            .sorted { $0.1.offset < $1.1.offset }
        let offset = addObject(.entry, size: 64 + items.count * form.entryItemSize)
        image.put(entry.sequence, at: offset + 16)
        image.put(entry.realtime, at: offset + 24)
        image.put(entry.monotonic, at: offset + 32)
        image.put(entry.boot.bytes, at: offset + 40)
        image.put(entry.checksum, at: offset + 56)
        for (index, item) in items.enumerated() {
            let place = offset + 64 + index * form.entryItemSize
            putOffset(item.1.offset, at: place)
            if !form.isCompact { image.put(item.1.hash, at: place + 8) }
        }
        var chain = entries
        add(offset, to: &chain)
        entries = chain
        counters.note(entry)
        for (field, _) in items { link(offset, toDataOf: field) }
        if let interval = form.tagInterval, entryCount % interval == 0 { addTag() }
    }

    /// The whole file as it is now.
    package func bytes() -> [UInt8] {
        var copy = self
        copy.image.grow(toMultipleOf: form.isPadded ? 4096 : 8)
        copy.writeHeader(data: dataTable, fields: fieldTable, entries: entries, tail: places.last?.offset ?? 0)
        return copy.image.bytes
    }

    private mutating func addTable(_ kind: JournalFilePlace.Kind, buckets: Int) -> HashTable {
        HashTable(offset: addObject(kind, size: 16 + 16 * buckets) + 16, buckets: buckets)
    }

    private mutating func addObject(_ kind: JournalFilePlace.Kind, size: Int, flags: UInt8 = 0) -> Int {
        image.grow(toMultipleOf: 8)
        let offset = image.count
        image.grow(to: offset + size)
        image.put(kind.rawValue, at: offset)
        image.put(flags, at: offset + 1)
        image.put(UInt64(size), at: offset + 8)
        places.append(JournalFilePlace(kind: kind, offset: offset, size: size))
        return offset
    }

    private mutating func addTag() {
        let offset = addObject(.tag, size: 64)
        counters.tags += 1
        image.put(UInt64(counters.tags), at: offset + 16)
    }

    private func hash(_ bytes: [UInt8]) -> UInt64 {
        form.isKeyed ? PayloadHash.sipHash(bytes, key: form.fileID.bytes) : PayloadHash.lookup3(bytes)
    }

    private mutating func addData(_ payload: [UInt8]) {
        guard data[payload] == nil else { return }
        let stored = payload.count >= form.compressionThreshold ? form.compression.compressed(payload) : nil
        let bytes = stored ?? payload
        let flags = stored == nil ? 0 : form.compression.objectFlag
        let offset = addObject(.data, size: form.payloadStart + bytes.count, flags: flags)
        let hash = hash(payload)
        image.put(hash, at: offset + 16)
        image.put(bytes, at: offset + form.payloadStart)
        dataTable.add(offset, hash: hash, to: &image)
        data[payload] = DataObject(offset: offset, hash: hash, chain: EntryArrayChain(link: offset + 48))
        let name = Array(payload.prefix { $0 != UInt8(ascii: "=") })
        addField(name)
        image.put(UInt64(fields[name]?.head ?? 0), at: offset + 32)
        fields[name]?.head = offset
        if let field = fields[name] { image.put(UInt64(offset), at: field.offset + 32) }
        counters.data += 1
    }

    private mutating func addField(_ name: [UInt8]) {
        guard fields[name] == nil else { return }
        let offset = addObject(.field, size: 40 + name.count)
        let hash = hash(name)
        image.put(hash, at: offset + 16)
        image.put(name, at: offset + 40)
        fieldTable.add(offset, hash: hash, to: &image)
        fields[name] = FieldObject(offset: offset)
        counters.fields += 1
    }

    /// The first entry of a DATA object is listed in the object itself, the others in its arrays.
    private mutating func link(_ entry: Int, toDataOf payload: [UInt8]) {
        guard var object = data[payload] else { return }
        if object.entryCount == 0 {
            image.put(UInt64(entry), at: object.offset + 40)
        } else {
            add(entry, to: &object.chain)
            if form.isCompact {
                image.put(UInt32(object.chain.tail), at: object.offset + 64)
                image.put(UInt32(object.chain.tailCount), at: object.offset + 68)
            }
        }
        object.entryCount += 1
        image.put(UInt64(object.entryCount), at: object.offset + 56)
        data[payload] = object
    }

    private mutating func add(_ entry: Int, to chain: inout EntryArrayChain) {
        if chain.isFull {
            let capacity =
                switch form.arrayCapacity {
                case .growing: chain.grownCapacity
                case .fixed(let count): max(count, 1)
                }
            let offset = addObject(.entryArray, size: 24 + capacity * form.slotSize)
            image.put(UInt64(offset), at: chain.link)
            chain.link = offset + 16
            (chain.tail, chain.tailCapacity, chain.tailCount) = (offset, capacity, 0)
            counters.entryArrays += 1
        }
        putOffset(entry, at: chain.tail + 24 + chain.tailCount * form.slotSize)
        chain.tailCount += 1
        chain.total += 1
    }

    private mutating func putOffset(_ offset: Int, at place: Int) {
        if form.isCompact {
            image.put(UInt32(offset), at: place)
        } else {
            image.put(UInt64(offset), at: place)
        }
    }
}
