/// The fields that a filter reads: for each of its numbers how it is read, and which journal fields that takes.
package struct FieldLayout: Sendable {
    private(set) var readings: [FieldReading] = []
    /// The journal's names, each with its slot's number as index.
    private(set) var names: [[UInt8]] = []
    private(set) var needsMonotonic = false
    private(set) var needsCursor = false

    package init() {}

    mutating func add(_ name: String, _ kind: JournalSchema.Kind, unit: Bool) -> Int {
        let reading: FieldReading
        switch (name, kind) {
        case ("__CURSOR", _):
            needsCursor = true
            reading = .cursor
        case ("__REALTIME_TIMESTAMP", _): reading = .realtime
        case ("__MONOTONIC_TIMESTAMP", _):
            needsMonotonic = true
            reading = .monotonic
        case (_, .time): reading = .time
        case _ where unit:
            reading = .unit(process: slot("_PID"), about: slot("UNIT"), own: slot("_SYSTEMD_UNIT"))
        case (_, .int(let range)): reading = .int(slot: slot(name), range: range)
        case (_, .text): reading = .text(slot: slot(name))
        }
        readings.append(reading)
        return readings.count - 1
    }

    private mutating func slot(_ name: String) -> Int {
        let bytes = Array(name.utf8)
        if let known = names.firstIndex(of: bytes) { return known }
        names.append(bytes)
        return names.count - 1
    }
}
