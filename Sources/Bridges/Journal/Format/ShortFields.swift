import Glibc

/// What a line of ``ShortFormat`` is made of. Of a field that is there twice the last value counts, as in journalctl.
struct ShortFields {
    var message: UnsafeRawBufferPointer?
    var host: UnsafeRawBufferPointer?
    var identifier: UnsafeRawBufferPointer?
    var command: UnsafeRawBufferPointer?
    var process: UnsafeRawBufferPointer?
    var claimedProcess: UnsafeRawBufferPointer?
    /// When the entry was written, by its writer's word, else when it was received.
    var time: UInt64

    init(_ entry: EntryView) {
        time = entry.header.realtime
        for slot in entry.slots {
            let name = entry.name(of: slot)
            switch name.count {
            case 4 where Self.equal(name, "_PID"): process = entry.value(of: slot)
            case 5 where Self.equal(name, "_COMM"): command = entry.value(of: slot)
            case 7 where Self.equal(name, "MESSAGE"): message = entry.value(of: slot)
            case 9 where Self.equal(name, "_HOSTNAME"): host = entry.value(of: slot)
            case 10 where Self.equal(name, "SYSLOG_PID"): claimedProcess = entry.value(of: slot)
            case 17 where Self.equal(name, "SYSLOG_IDENTIFIER"): identifier = entry.value(of: slot)
            case 26 where Self.equal(name, "_SOURCE_REALTIME_TIMESTAMP"):
                if let claimed = PlainDecimal.parse(entry.value(of: slot)), claimed > 0, claimed < 1 << 55 {
                    time = UInt64(claimed)
                }
            default: break
            }
        }
    }

    private static func equal(_ name: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard let base = name.baseAddress else { return false }
        return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
