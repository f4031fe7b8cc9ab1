import Records

/// A time as the formats show it.
package enum JournalTime {
    /// `Sat 2026-11-21 02:28:00 CET`, of microseconds since 1970.
    package static func text(_ microseconds: UInt64, isUTC: Bool) -> String {
        var output = OutputBuffer(capacity: 64)
        var clock = ClockText(.full, isUTC: isUTC)
        clock.append(microseconds, to: &output)
        return output.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}
