import Records

/// An entry in the journal export format: https://systemd.io/JOURNAL_EXPORT_FORMATS/. A value that is one line of
/// text follows its name and an equals sign; any other value follows its size.
struct ExportFormat {
    let shown: ShownFields

    func format(_ entry: EntryView, into output: inout OutputBuffer) {
        let header = entry.header
        if !entry.cursor.isEmpty {
            output.append("__CURSOR=")
            output.append(entry.cursor)
            output.append("\n")
        }
        if header.realtime > 0 {
            output.append("__REALTIME_TIMESTAMP=")
            output.append(decimal: header.realtime)
            output.append("\n")
        }
        if !entry.bootID.isEmpty {
            output.append("__MONOTONIC_TIMESTAMP=")
            output.append(decimal: header.monotonic)
            output.append("\n")
        }
        if let sequence = CursorSequence(entry.cursor) {
            output.append("__SEQNUM=")
            output.append(decimal: sequence.number)
            output.append("\n__SEQNUM_ID=")
            output.append(sequence.id)
            output.append("\n")
        }
        if !entry.bootID.isEmpty {
            output.append("_BOOT_ID=")
            output.append(entry.bootID)
            output.append("\n")
        }
        for slot in entry.slots {
            let name = entry.name(of: slot)
            if name.elementsEqual("_BOOT_ID".utf8) || !shown.contains(name) { continue }
            append(name, entry.value(of: slot), to: &output)
        }
        output.append("\n")
    }

    private func append(
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        to output: inout OutputBuffer
    ) {
        output.append(name)
        if Printable.isPrintable(value), !value.contains(0x0A) {
            output.append("=")
        } else {
            output.append("\n")
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { output.append($0) }
        }
        output.append(value)
        output.append("\n")
    }
}
