import Glibc

/// What a line of ``ShortFormat`` is made of. Of a field that is there twice the first value counts, as everywhere else.
struct ShortFields {
    var message: UnsafeRawBufferPointer?
    var host: UnsafeRawBufferPointer?
    var identifier: UnsafeRawBufferPointer?
    var command: UnsafeRawBufferPointer?
    var process: UnsafeRawBufferPointer?
    var claimedProcess: UnsafeRawBufferPointer?
    /// See ``EntryTime``.
    let time: UInt64

    init(_ entry: EntryView) {
        var source: UnsafeRawBufferPointer?
        for slot in entry.slots {
            let name = entry.name(of: slot)
            switch name.count {
            case 4 where process == nil && Self.equal(name, "_PID"): process = entry.value(of: slot)
            case 5 where command == nil && Self.equal(name, "_COMM"): command = entry.value(of: slot)
            case 7 where message == nil && Self.equal(name, "MESSAGE"): message = entry.value(of: slot)
            case 9 where host == nil && Self.equal(name, "_HOSTNAME"): host = entry.value(of: slot)
            case 10 where claimedProcess == nil && Self.equal(name, "SYSLOG_PID"):
                claimedProcess = entry.value(of: slot)
            case 17 where identifier == nil && Self.equal(name, "SYSLOG_IDENTIFIER"):
                identifier = entry.value(of: slot)
            case 26 where source == nil && Self.equal(name, "_SOURCE_REALTIME_TIMESTAMP"):
                source = entry.value(of: slot)
            default: break
            }
        }
        time = EntryTime.of(source: source, received: entry.header.realtime)
    }

    private static func equal(_ name: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard let base = name.baseAddress else { return false }
        return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
