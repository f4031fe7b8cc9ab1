import Glibc

/// The parts of a line of ``ShortFormat``. If a field is there twice the first value counts, as everywhere else.
struct ShortFields {
    var message: UnsafeRawBufferPointer?
    var host: UnsafeRawBufferPointer?
    var identifier: UnsafeRawBufferPointer?
    var command: UnsafeRawBufferPointer?
    var process: UnsafeRawBufferPointer?
    var claimedProcess: UnsafeRawBufferPointer?
    var priority: UnsafeRawBufferPointer?
    var unit: UnsafeRawBufferPointer?
    var userUnit: UnsafeRawBufferPointer?
    /// See ``EntryTime``.
    let time: UInt64
    /// When the entry was made, since the machine's start, where that is known, else when it was received.
    let monotonic: UInt64

    init(_ entry: EntryView) {
        var source: UnsafeRawBufferPointer?
        var uptime: UnsafeRawBufferPointer?
        for slot in entry.slots {
            let name = entry.name(of: slot)
            switch name.count {
            case 4 where process == nil && Self.equal(name, "_PID"): process = entry.value(of: slot)
            case 5 where command == nil && Self.equal(name, "_COMM"): command = entry.value(of: slot)
            case 7 where message == nil && Self.equal(name, "MESSAGE"): message = entry.value(of: slot)
            case 8 where priority == nil && Self.equal(name, "PRIORITY"): priority = entry.value(of: slot)
            case 9 where host == nil && Self.equal(name, "_HOSTNAME"): host = entry.value(of: slot)
            case 10 where claimedProcess == nil && Self.equal(name, "SYSLOG_PID"):
                claimedProcess = entry.value(of: slot)
            case 13 where unit == nil && Self.equal(name, "_SYSTEMD_UNIT"): unit = entry.value(of: slot)
            case 17 where identifier == nil && Self.equal(name, "SYSLOG_IDENTIFIER"):
                identifier = entry.value(of: slot)
            case 18 where userUnit == nil && Self.equal(name, "_SYSTEMD_USER_UNIT"):
                userUnit = entry.value(of: slot)
            case 27 where uptime == nil && Self.equal(name, "_SOURCE_MONOTONIC_TIMESTAMP"):
                uptime = entry.value(of: slot)
            case 26 where source == nil && Self.equal(name, "_SOURCE_REALTIME_TIMESTAMP"):
                source = entry.value(of: slot)
            default: break
            }
        }
        time = EntryTime.of(source: source, received: entry.header.realtime)
        monotonic = EntryTime.sinceBoot(source: uptime, received: entry.header.monotonic)
    }

    private static func equal(_ name: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard let base = name.baseAddress else { return false }
        return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
