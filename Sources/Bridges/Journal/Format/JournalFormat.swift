/// The format of an entry's text. The names are those of `journalctl -o`. If a field is there more than once, the
/// formats of one line and ``cat`` have the first value.
package enum JournalFormat: String, Sendable, CaseIterable {
    /// The line of a classic log file: ``JournalEntry/time``, host, identifier, process, message.
    case short
    /// The same with microseconds.
    case shortPrecise = "short-precise"
    /// The same with weekday, year and time zone.
    case shortFull = "short-full"
    /// The same with the time of ISO 8601, as in `2026-11-23T17:02:00+01:00`.
    case shortISO = "short-iso"
    /// The same with microseconds.
    case shortISOPrecise = "short-iso-precise"
    /// The same with the seconds since 1970-01-01 00:00 UTC.
    case shortUnix = "short-unix"
    /// The same with the seconds since the machine's start.
    case shortMonotonic = "short-monotonic"
    /// The same, and the seconds since the line before it; marked with `*` where they are those of the wall clock,
    /// because the machine was started in between.
    case shortDelta = "short-delta"
    /// As ``shortFull``, with the unit in place of the identifier.
    case withUnit = "with-unit"
    /// The bare message.
    case cat
    /// A line with the time and the cursor, and below it every field on a line of its own.
    case verbose
    /// The journal export format: all fields, byte for byte, for `systemd-journal-remote` and other programs.
    case export
    /// One JSON object a line, with all fields.
    case json
    /// The same over several lines, for people.
    case jsonPretty = "json-pretty"
    /// The same as ``json``, each object after a record separator (RFC 7464).
    case jsonSequence = "json-seq"
    /// The same as ``json``, as server-sent events.
    case jsonEvents = "json-sse"
}
