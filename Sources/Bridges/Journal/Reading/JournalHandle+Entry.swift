import CLinux
import Filter
import Glibc

extension JournalHandle {
    /// Asks a condition about the current entry, with as few calls into libsystemd as its fields take: one field is
    /// looked up, several are picked out of one enumeration. Looking up each would cost as much as enumerating for
    /// each.
    @inline(__always)
    func evaluate(_ condition: (borrowing JournalRecord) -> Bool, _ fields: FieldGatherer, _ realtime: UInt64) -> Bool {
        clinux_sigbus_enter()
        defer { clinux_sigbus_leave() }
        var time: UInt64 = 0
        if fields.layout.needsMonotonic, monotonic(&time) < 0 { return false }
        if fields.layout.needsCursor {
            return withCursor { evaluate(condition, fields, realtime, time, $0) } ?? false
        }
        return evaluate(condition, fields, realtime, time, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    @inline(__always)
    private func evaluate(
        _ condition: (borrowing JournalRecord) -> Bool,
        _ fields: FieldGatherer,
        _ realtime: UInt64,
        _ monotonic: UInt64,
        _ cursor: UnsafeRawBufferPointer
    ) -> Bool {
        fields.begin()
        switch fields.count {
        case 0: break
        case 1 where !fields.hasRepeated:
            // The value stays where it is until the next call into libsystemd, which comes after the evaluation.
            return withValue(of: fields.onlyName) { value in
                if let value { fields.set(0, to: value) }
                return condition(fields.record(cursor: cursor, realtime: realtime, monotonic: monotonic))
            }
        default:
            let result = forEachField { line in
                fields.offer(line)
                return !fields.isComplete
            }
            if result < 0 { return false }
            fields.settle()
        }
        return condition(fields.record(cursor: cursor, realtime: realtime, monotonic: monotonic))
    }

    /// Whether all fields of the current entry can be read; true if it cannot be told.
    func isComplete() -> Bool {
        withCursor { cursor in
            guard let expected = CursorText(cursor)?.checksum(in: cursor) else { return true }
            var checksum = EntryChecksum()
            let result = forEachField { line in
                checksum.add(line)
                return true
            }
            return result < 0 || checksum.value == expected
        } ?? true
    }

    /// Takes the whole of the current entry. False if it cannot be read.
    func read(into scratch: EntryScratch) -> Bool {
        let hasCursor = withCursor { cursor in
            guard let text = CursorText(cursor) else { return false }
            scratch.setCursor(cursor, boot: text.boot)
            scratch.setTimes(realtime: text.realtime, monotonic: text.monotonic)
            return true
        }
        guard hasCursor == true else { return false }
        var isWhole = true
        let result = forEachField { line in
            isWhole = scratch.addField(line)
            return isWhole
        }
        return result >= 0 && isWhole
    }
}
