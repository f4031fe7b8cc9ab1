import Glibc

/// The object that `journalctl -o json` prints, on a line of its own; but a large field is given, never `null`.
///
/// A value is a string if it is text (see ``Printable``), else an array of its bytes; a field that is there more than once is an
/// array of its values.
enum JSONFormat {
    static func format(_ entry: EntryView, into output: inout OutputBuffer) {
        output.append("{")
        let empty = output.count
        header(entry, into: &output)
        var seen = SeenNames()
        var repeated = false
        for index in entry.slots.indices {
            let slot = entry.slots[index]
            let name = entry.name(of: slot)
            if isBootID(name) { continue }
            if seen.mayHaveSeen(name), entry.slots[..<index].contains(where: { entry.hasName($0, name) }) {
                repeated = true
                break
            }
            member(name, separated: output.count > empty, into: &output)
            JSONText.append(entry.value(of: slot), to: &output)
        }
        if repeated {
            output.truncate(to: empty)
            header(entry, into: &output)
            grouped(entry, empty, into: &output)
        }
        output.append("}\n")
    }

    private static func header(_ entry: EntryView, into output: inout OutputBuffer) {
        let empty = output.count
        if !entry.cursor.isEmpty {
            member("__CURSOR", separated: false, into: &output)
            JSONText.append(entry.cursor, to: &output)
        }
        if entry.header.realtime > 0 {
            member("__REALTIME_TIMESTAMP", separated: output.count > empty, into: &output)
            output.append("\"")
            output.append(decimal: entry.header.realtime)
            output.append("\"")
        }
        if !entry.bootID.isEmpty {
            member("__MONOTONIC_TIMESTAMP", separated: output.count > empty, into: &output)
            output.append("\"")
            output.append(decimal: entry.header.monotonic)
            output.append("\"")
            member("_BOOT_ID", separated: true, into: &output)
            JSONText.append(entry.bootID, to: &output)
        }
    }

    /// The rare entry with a field more than once.
    private static func grouped(_ entry: EntryView, _ empty: Int, into output: inout OutputBuffer) {
        for index in entry.slots.indices {
            let name = entry.name(of: entry.slots[index])
            if isBootID(name) || entry.slots[..<index].contains(where: { entry.hasName($0, name) }) { continue }
            let same = entry.slots[index...].filter { entry.hasName($0, name) }
            member(name, separated: output.count > empty, into: &output)
            if same.count > 1 { output.append("[") }
            for (index, slot) in same.enumerated() {
                if index > 0 { output.append(",") }
                JSONText.append(entry.value(of: slot), to: &output)
            }
            if same.count > 1 { output.append("]") }
        }
    }

    @inline(__always)
    private static func member(_ name: UnsafeRawBufferPointer, separated: Bool, into output: inout OutputBuffer) {
        if separated { output.append(UInt8(ascii: ",")) }
        JSONText.append(name, to: &output)
        output.append(UInt8(ascii: ":"))
    }

    private static func member(_ name: StaticString, separated: Bool, into output: inout OutputBuffer) {
        member(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), separated: separated, into: &output)
    }

    /// The entry's own boot id was given already, with its times.
    @inline(__always)
    private static func isBootID(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count == 8, let base = name.baseAddress else { return false }
        return memcmp(base, "_BOOT_ID", 8) == 0
    }
}
