import Glibc
import Records

/// The object that `journalctl -o json` prints, on a line of its own; but a large field is given, never `null`.
///
/// A value is a string if it is text (see ``Printable``), else an array of its bytes; a field that is there more than
/// once is an array of its values.
struct JSONFormat {
    private let seen = SeenNames()
    private let shown: ShownFields

    init(shown: ShownFields) {
        self.shown = shown
    }

    func format(_ entry: EntryView, into output: inout OutputBuffer) {
        let start = begin(
            cursor: entry.cursor,
            sequence: CursorSequence(entry.cursor),
            realtime: entry.header.realtime,
            monotonic: entry.header.monotonic,
            boot: entry.bootID,
            into: &output
        )
        seen.beginEntry()
        let members = output.count
        for slot in entry.slots
        where shown.contains(entry.name(of: slot))
            && member(entry.name(of: slot), entry.value(of: slot), into: &output) == nil
        {
            output.truncate(to: members)
            grouped(entry, into: &output)
            break
        }
        end(start, into: &output)
    }

    /// Straight from a journal file. Answers how many fields could not be read; `nil`, and nothing written, if that takes a
    /// second pass.
    func format(_ entry: FileEntry, into output: inout OutputBuffer) -> Int? {
        guard shown.names == nil else { return nil }
        let before = output.count
        let start = begin(entry, into: &output)
        seen.beginEntry()
        var isSimple = true
        let values = entry.values
        let unreadable = entry.forEachField { line, shared in
            guard let shared else {
                isSimple = member(line, into: &output) != nil
                return isSimple
            }
            let rendering = values.rendering(of: shared)
            if rendering.pointee.start != nil {
                guard rendering.pointee.count > 0 else { return true }
                isSimple = !seen.mayRepeat(rendering.pointee.hash)
                if isSimple { output.append(rendering.pointee.bytes) }
                return isSimple
            }
            let start = output.count
            guard let hash = member(line, into: &output) else {
                isSimple = false
                return false
            }
            output.withBytes { values.keep(UnsafeRawBufferPointer(rebasing: $0[start...]), hash: hash, as: rendering) }
            return true
        }
        guard isSimple else {
            output.truncate(to: before)
            return nil
        }
        end(start, into: &output)
        return unreadable
    }

    private func begin(_ entry: FileEntry, into output: inout OutputBuffer) -> Int {
        entry.withCursor { cursor in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { boot in
                if let digits = boot.baseAddress { entry.key.entry.boot.write(to: digits) }
                return begin(
                    cursor: cursor,
                    sequence: CursorSequence(ofFile: cursor, number: entry.key.entry.sequence),
                    realtime: entry.key.entry.realtime,
                    monotonic: entry.key.entry.monotonic,
                    boot: UnsafeRawBufferPointer(boot),
                    into: &output
                )
            }
        }
    }

    /// The beginning of the members.
    private func begin(
        cursor: UnsafeRawBufferPointer,
        sequence: CursorSequence?,
        realtime: UInt64,
        monotonic: UInt64,
        boot: UnsafeRawBufferPointer,
        into output: inout OutputBuffer
    ) -> Int {
        let start = output.count
        if !cursor.isEmpty {
            output.append(",\"__CURSOR\":")
            JSONText.append(cursor, to: &output)
        }
        if realtime > 0 {
            output.append(",\"__REALTIME_TIMESTAMP\":\"")
            output.append(decimal: realtime)
            output.append("\"")
        }
        if !boot.isEmpty {
            output.append(",\"__MONOTONIC_TIMESTAMP\":\"")
            output.append(decimal: monotonic)
            output.append("\"")
        }
        if let sequence {
            output.append(",\"__SEQNUM\":\"")
            output.append(decimal: sequence.number)
            output.append("\",\"__SEQNUM_ID\":\"")
            output.append(sequence.id)
            output.append("\"")
        }
        if !boot.isEmpty {
            output.append(",\"_BOOT_ID\":")
            JSONText.append(boot, to: &output)
        }
        return start
    }

    /// Every member came with a comma before it, so the first one's place is the brace's.
    private func end(_ start: Int, into output: inout OutputBuffer) {
        if output.count > start {
            output.replace(at: start, with: UInt8(ascii: "{"))
        } else {
            output.append("{")
        }
        output.append("}\n")
    }

    /// Writes `NAME=value`. Answers the name's hash, 0 if it needs no member; `nil` if the name may have been there before.
    @inline(__always)
    private func member(_ line: UnsafeRawBufferPointer, into output: inout OutputBuffer) -> UInt64? {
        guard let base = line.baseAddress, let equals = memchr(base, 0x3D, line.count) else { return 0 }
        let length = UnsafeRawPointer(equals) - base
        guard length > 0 else { return 0 }
        return member(
            UnsafeRawBufferPointer(start: base, count: length),
            UnsafeRawBufferPointer(start: base + length + 1, count: line.count - length - 1),
            into: &output
        )
    }

    @inline(__always)
    private func member(
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        into output: inout OutputBuffer
    ) -> UInt64? {
        // The entry's own boot id was given already, with its times.
        if Self.isBootID(name) { return 0 }
        let hash = SeenNames.hash(name)
        if seen.mayRepeat(hash) { return nil }
        JSONText.appendMember(name, value, to: &output)
        return hash
    }

    /// The rare entry with a field more than once, or with more fields than most have.
    private func grouped(_ entry: EntryView, into output: inout OutputBuffer) {
        let groups = FieldGroups(entry)
        for first in groups.firsts {
            let name = entry.name(of: entry.slots[first])
            if Self.isBootID(name) || !shown.contains(name) { continue }
            output.append(",")
            JSONText.append(name, to: &output)
            output.append(groups.nexts[first] == nil ? ":" : ":[")
            JSONText.append(entry.value(of: entry.slots[first]), to: &output)
            guard var next = groups.nexts[first] else { continue }
            while true {
                output.append(",")
                JSONText.append(entry.value(of: entry.slots[next]), to: &output)
                guard let further = groups.nexts[next] else { break }
                next = further
            }
            output.append("]")
        }
    }

    @inline(__always)
    private static func isBootID(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count == 8, let base = name.baseAddress else { return false }
        return memcmp(base, "_BOOT_ID", 8) == 0
    }
}
