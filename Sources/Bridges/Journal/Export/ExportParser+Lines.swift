import Glibc

extension ExportParser {
    /// Reads the line at the position: an empty line or a field. `nil` to go on with the next one.
    mutating func readLine(_ scratch: EntryScratch) -> Result? {
        guard let end = index(of: 0x0A, in: max(searched, position)..<buffer.count) else {
            searched = buffer.count
            guard buffer.count - position > Self.maxNameLength + limits.entrySize else { return .needsMore }
            return equals(before: buffer.count) == nil ? skip(.invalidName, problemWithName()) : skip(.oversized)
        }
        if end == position { return endEntry(scratch) }
        let equals = equals(before: end)
        let name = position..<(equals ?? end)
        guard Self.isName(buffer[name]) else { return skip(.invalidName, equals == nil ? problemWithName() : nil) }
        guard let equals else { return readBinary(name, scratch) }
        if let reason = excess(name, end - equals - 1, scratch) { return skip(reason) }
        add(name, equals + 1..<end, scratch)
        position = end + 1
        line += 1
        return nil
    }

    /// A field whose name stands alone on its line.
    private mutating func readBinary(_ name: Range<Int>, _ scratch: EntryScratch) -> Result? {
        let lengthStart = name.upperBound + 1
        guard let claimed = length(at: lengthStart) else {
            searched = name.upperBound
            return .needsMore
        }
        guard claimed <= JournalFile.maxValueSize else {
            return failure(
                "the field \(String(decoding: buffer[name], as: UTF8.self)) claims to be \(claimed) bytes long, and at "
                    + "most \(JournalFile.maxValueSize) are believed; after a line without = the value's length is expected, "
                    + "in 8 bytes",
                lengthStart - position
            )
        }
        if let reason = excess(name, Int(claimed), scratch) { return skip(reason) }
        let start = lengthStart + 8
        let end = start + Int(claimed)
        guard buffer.count > end else {
            searched = name.upperBound
            return .needsMore
        }
        guard buffer[end] == 0x0A else {
            return failure(
                "a line feed was expected after the \(claimed) bytes of the field "
                    + String(decoding: buffer[name], as: UTF8.self),
                end - position
            )
        }
        add(name, start..<end, scratch)
        line += 2 + lineFeeds(in: lengthStart..<end)
        position = end + 1
        return nil
    }

    /// Why the entry may not have a further field, if it may not.
    private func excess(_ name: Range<Int>, _ valueLength: Int, _ scratch: EntryScratch) -> FieldSkips.Reason? {
        if scratch.size + name.count + valueLength > limits.entrySize { return .oversized }
        guard scratch.fieldCount >= limits.fieldCount else { return nil }
        return buffer[name].starts(with: ExportMetadata.prefix) ? nil : .surplus
    }
}

// MARK: Passing over a field

extension ExportParser {
    private mutating func skip(_ reason: FieldSkips.Reason, _ problem: String? = nil) -> Result? {
        let field = SkippedField(reason: reason, byteOffset: byteOffset, line: line, problem: problem)
        place = .skippedLine(field, hasEquals: false)
        return nil
    }

    mutating func skipLine(_ field: SkippedField, _ hasEquals: Bool) -> Result? {
        let end = index(of: 0x0A, in: max(searched, position)..<buffer.count)
        let upTo = end ?? buffer.count
        let hasEquals = hasEquals || index(of: UInt8(ascii: "="), in: position..<upTo) != nil
        position = upTo
        searched = upTo
        guard end != nil else {
            place = .skippedLine(field, hasEquals: hasEquals)
            return .needsMore
        }
        position += 1
        line += 1
        place = hasEquals ? .line : .skippedLength(field)
        if hasEquals { count(field) }
        return nil
    }

    mutating func skipLength(_ field: SkippedField) -> Result? {
        guard let claimed = length(at: position) else { return .needsMore }
        guard claimed <= JournalFile.maxValueSize else {
            // Most likely text that is no field, and the next field cannot be found.
            return failure(field) ?? failure("a length of \(claimed) bytes is not believed", 0)
        }
        line += lineFeeds(in: position..<position + 8)
        position += 8
        place = .skippedValue(field, rest: Int(claimed))
        return nil
    }

    mutating func skipValue(_ field: SkippedField, _ rest: Int) -> Result? {
        let here = min(rest, buffer.count - position)
        line += lineFeeds(in: position..<position + here)
        position += here
        place = .skippedValue(field, rest: rest - here)
        guard position < buffer.count else { return .needsMore }
        guard buffer[position] == 0x0A else {
            return failure(field) ?? failure("a line feed was expected after the bytes of a field", 0)
        }
        position += 1
        line += 1
        place = .line
        count(field)
        return nil
    }
}

// MARK: Looking at bytes

extension ExportParser {
    /// The end of the field's name at the position, if an equals sign ends it: no further than a name may reach.
    private func equals(before end: Int) -> Int? {
        index(of: UInt8(ascii: "="), in: position..<min(end, position + Self.maxNameLength + 1))
    }

    private func length(at start: Int) -> UInt64? {
        guard buffer.count - start >= 8 else { return nil }
        return buffer.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
    }

    private func index(of byte: UInt8, in range: Range<Int>) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base + range.lowerBound, Int32(byte), range.count)
            else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
    }

    private func lineFeeds(in range: Range<Int>) -> UInt64 { UInt64(buffer[range].count { $0 == 0x0A }) }

    /// The names that journald takes.
    private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first, name.count <= maxNameLength, !(0x30...0x39).contains(first) else { return false }
        return name.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    private func problemWithName() -> String {
        let name = buffer[position...].prefix(40).prefix { $0 != 0x0A }
        return "a field was expected, NAME=value with a name of upper-case letters, digits and underscores, but found "
            + String(decoding: name, as: UTF8.self).debugDescription
    }
}
