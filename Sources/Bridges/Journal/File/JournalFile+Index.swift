import Glibc

extension JournalFile {
    /// The place of the DATA object of `NAME=value`.
    enum Lookup {
        case found(Int)
        case absent
        /// The file's index cannot be used.
        case damaged
    }

    /// journald rotates a file before any chain of its index is longer than 100.
    private static let maxChainLength = 4096

    /// Finds a value by its hash.
    func find(_ line: UnsafeRawBufferPointer) -> Lookup {
        let hash = hash(of: line)
        return search(header.dataTable, hash, ObjectType.data, minSize: payloadStart) { offset in
            guard let (start, size) = object(offset, ObjectType.data, minSize: payloadStart, .spot) else { return nil }
            // If only the hash matches, nothing is read or decompressed.
            let isPlain = start.load(fromByteOffset: 1, as: UInt8.self) & 7 == 0
            if isPlain, size - payloadStart != line.count { return nil }
            guard let payload = payload(at: offset, .spot, limit: line.count) else { return nil }
            return Self.equal(payload, line)
        }
    }

    /// The places of a field's DATA objects; `nil` if they are more than `limit`, or the index cannot tell.
    func values(of name: [UInt8], limit: Int) -> [Int]? {
        switch name.withUnsafeBytes({ find(field: $0) }) {
        case .damaged: return nil
        case .absent: return []
        case .found(let field):
            guard let start = bytes(field, ObjectStart.field, .spot) else { return nil }
            var offset = Int(clamping: start.number(at: 32))
            // A field is made for a value of it.
            guard offset != 0 else { return nil }
            var found: [Int] = []
            while offset != 0 {
                guard found.count < limit,
                    let (start, _) = object(offset, ObjectType.data, minSize: payloadStart, .spot)
                else { return nil }
                found.append(offset)
                let next = Int(clamping: start.number(at: 32))
                // Later values come first.
                guard next < offset else { return nil }
                offset = next
            }
            return found
        }
    }

    /// Whether any entry has the field; `nil` where the index cannot tell.
    func has(field name: UnsafeRawBufferPointer) -> Bool? {
        switch find(field: name) {
        case .damaged: return nil
        case .absent: return false
        case .found(let offset):
            guard let start = bytes(offset, ObjectStart.field, .spot) else { return nil }
            return hasEntries(from: Int(clamping: start.number(at: 32)))
        }
    }

    private func find(field name: UnsafeRawBufferPointer) -> Lookup {
        let hash = hash(of: name)
        return search(header.fieldTable, hash, ObjectType.field, minSize: ObjectStart.field) { offset in
            guard let (_, size) = object(offset, ObjectType.field, minSize: ObjectStart.field, .spot),
                size - ObjectStart.field == name.count, let start = bytes(offset, size, .spot)
            else { return nil }
            let found = UnsafeRawBufferPointer(start: start + ObjectStart.field, count: size - ObjectStart.field)
            return Self.equal(found, name)
        }
    }

    /// Whether one of a field's values is that of an entry. A value may be left over from an entry that was not written to
    /// its end.
    private func hasEntries(from first: Int) -> Bool? {
        var offset = first
        for _ in 0..<64 where offset != 0 {
            guard let (start, _) = object(offset, ObjectType.data, minSize: payloadStart, .spot) else { return nil }
            if start.number(at: 56) > 0 { return true }
            let next = Int(clamping: start.number(at: 32))
            // Later values come first.
            guard next < offset else { return nil }
            offset = next
        }
        return offset != 0
    }

    func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        header.features.contains(.keyedHash) ? FieldHash.keyed(bytes, header.fileID) : FieldHash.plain(bytes)
    }

    /// Whether the table that the header names is one of that size. With another size all would be searched for in wrong places.
    func isSound(_ table: (offset: UInt64, size: UInt64), _ type: UInt8) -> Bool {
        guard table.size >= 16, table.size % 16 == 0, table.size <= UInt64(size), table.offset > 16,
            table.offset <= UInt64(size) - table.size,
            let start = bytes(Int(table.offset) - 16, 16, .spot)
        else { return false }
        return start.load(as: UInt8.self) == type && start.number(at: 8) == table.size + 16
    }

    /// Goes through one chain of a hash table. `isWanted` returns `nil` for an unreadable object.
    private func search(
        _ table: (offset: UInt64, size: UInt64),
        _ hash: UInt64,
        _ type: UInt8,
        minSize: Int,
        isWanted: (Int) -> Bool?
    ) -> Lookup {
        let buckets = table.size / 16
        let tableType = type == ObjectType.data ? ObjectType.dataTable : ObjectType.fieldTable
        guard isSound(table, tableType), table.offset >= UInt64(FileHeader.minSize),
            let bucket = bytes(Int(table.offset + hash % buckets * 16), 16, .spot)
        else { return .damaged }
        var offset = Int(clamping: bucket.number(at: 0))
        for _ in 0..<Self.maxChainLength {
            if offset == 0 { return .absent }
            guard let (start, _) = object(offset, type, minSize: minSize, .spot) else { return .damaged }
            let next = Int(clamping: start.number(at: 24))
            if start.number(at: 16) == hash {
                switch isWanted(offset) {
                case true: return .found(offset)
                case nil: return .damaged
                default: break
                }
            }
            // A chain points forward. Going back would be going round.
            guard next == 0 || next > offset else { return .damaged }
            offset = next
        }
        return .damaged
    }

    /// Whether a value of the file's first entry is found by its hash. It is not found if the header is wrong about
    /// the hashes or the tables.
    var hasWorkingIndex: Bool {
        guard let offset = offset(at: 0), let entry = entry(at: offset, .spot),
            let start = bytes(entry.offset, entry.size, .spot)
        else { return false }
        let data = Int(
            clamping: isCompact ? UInt64(start.shortNumber(at: ObjectStart.entry)) : start.number(at: ObjectStart.entry)
        )
        guard let payload = payload(at: data, .spot) else { return false }
        // The copy outlives the windows that the search reads.
        let line = Array(payload)
        return line.withUnsafeBytes { line in
            if case .found(let found) = find(line) { found == data } else { false }
        }
    }

    private static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count, let one = left.baseAddress, let other = right.baseAddress else { return false }
        return memcmp(one, other, left.count) == 0
    }
}
