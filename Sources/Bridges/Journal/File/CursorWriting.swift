extension MergedJournal {
    /// Lends the current entry's cursor: `s=<id>;i=<hex>;b=<id>;m=<hex>;t=<hex>;x=<hex>`.
    @inline(__always)
    func withCursor<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        fileEntry.map { $0.withCursor(body) } ?? body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
}

enum CursorWriting {
    /// Six keys, two ids and four numbers.
    static let maxLength = 6 * 3 + 2 * 32 + 4 * 16
    /// The place of the boot's id in a cursor: its key follows the number, whose length varies.
    static let bootLength = 32

    static func write(_ key: EntryKey, to output: UnsafeMutablePointer<UInt8>) -> Int {
        var end = output
        func put(_ name: StaticString) {
            end.update(from: name.utf8Start, count: name.utf8CodeUnitCount)
            end += name.utf8CodeUnitCount
        }
        put("s=")
        key.sequenceID.write(to: end)
        end += 32
        put(";i=")
        end += HexadecimalDigits.write(key.entry.sequence, to: end)
        put(";b=")
        key.entry.boot.write(to: end)
        end += 32
        put(";m=")
        end += HexadecimalDigits.write(key.entry.monotonic, to: end)
        put(";t=")
        end += HexadecimalDigits.write(key.entry.realtime, to: end)
        put(";x=")
        end += HexadecimalDigits.write(key.entry.checksum, to: end)
        return end - output
    }

    static func text(of key: EntryKey) -> String {
        String(unsafeUninitializedCapacity: maxLength) { buffer in buffer.baseAddress.map { write(key, to: $0) } ?? 0 }
    }
}

/// The sequence number of an entry and what it counts from, with which a cursor of journald begins: `s=<id>;i=<hex>;`.
struct CursorSequence {
    let id: UnsafeRawBufferPointer
    let number: UInt64

    /// `nil` where a cursor begins with anything else.
    init?(_ cursor: UnsafeRawBufferPointer) {
        let prefix = 2 + 32 + 3
        guard cursor.count > prefix, cursor[0] == UInt8(ascii: "s"), cursor[1] == UInt8(ascii: "="),
            cursor[34] == UInt8(ascii: ";"), cursor[35] == UInt8(ascii: "i"), cursor[36] == UInt8(ascii: "=")
        else { return nil }
        id = UnsafeRawBufferPointer(rebasing: cursor[2..<34])
        guard id.allSatisfy({ HexadecimalDigits.value(of: $0) != nil }) else { return nil }
        var number: UInt64 = 0
        var place = prefix
        while place < cursor.count, cursor[place] != UInt8(ascii: ";") {
            guard place < prefix + 16, let digit = HexadecimalDigits.value(of: cursor[place]) else { return nil }
            number = number << 4 | UInt64(digit)
            place += 1
        }
        guard place > prefix else { return nil }
        self.number = number
    }

    /// Those of a cursor that ``CursorWriting`` wrote.
    init(ofFile cursor: UnsafeRawBufferPointer, number: UInt64) {
        id = UnsafeRawBufferPointer(rebasing: cursor[2..<34])
        self.number = number
    }
}

extension SeekPoint {
    /// Reads a cursor as libsystemd does: the parts in any order, unknown parts ignored. `nil` unless it has a
    /// sequence number, a time since a boot, or a time.
    init?(cursor: String) {
        self.init()
        for part in cursor.split(separator: ";", omittingEmptySubsequences: false) {
            guard let name = part.first, part.dropFirst().first == "=" else { return nil }
            let text = part.dropFirst(2)
            switch name {
            case "s": sequenceID = Self.id(text)
            case "b": boot = Self.id(text)
            case "i": sequence = UInt64(text, radix: 16)
            case "m": monotonic = UInt64(text, radix: 16)
            case "t": realtime = UInt64(text, radix: 16)
            case "x": checksum = UInt64(text, radix: 16)
            default: continue
            }
            guard isRead(name) else { return nil }
        }
        guard isPlace else { return nil }
    }

    private func isRead(_ name: Character) -> Bool {
        switch name {
        case "s": sequenceID != nil
        case "b": boot != nil
        case "i": sequence != nil
        case "m": monotonic != nil
        case "t": realtime != nil
        default: checksum != nil
        }
    }

    /// With or without dashes.
    private static func id(_ text: Substring) -> ID128? {
        let digits = Array(text.utf8.filter { $0 != UInt8(ascii: "-") })
        return digits.withUnsafeBytes { ID128(hexadecimal: $0) }
    }
}
