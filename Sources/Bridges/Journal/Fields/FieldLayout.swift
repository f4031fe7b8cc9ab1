/// The fields that a filter reads: for each of its numbers how it is read, and which journal fields that takes.
package struct FieldLayout: Sendable {
    private(set) var readings: [FieldReading] = []
    /// The journal's names, each with its slot's number as index.
    private(set) var names: [[UInt8]] = []
    /// For each slot, whether more than its first value is wanted.
    private(set) var isRepeated: [Bool] = []
    private(set) var needsCursor = false

    package init() {}

    /// Whether an entry's place and times are read only where a filter compares the time of receipt.
    var isOfValues: Bool {
        readings.allSatisfy { reading in
            switch reading {
            case .text, .int, .unit, .realtime: true
            case .time, .monotonic, .cursor: false
            }
        }
    }

    mutating func add(_ name: String, _ kind: JournalSchema.Kind, unit: Bool, isRepeated: Bool) -> Int {
        let reading: FieldReading
        switch (name, kind) {
        case ("__CURSOR", _):
            needsCursor = true
            reading = .cursor
        case ("__REALTIME_TIMESTAMP", _): reading = .realtime
        case ("__MONOTONIC_TIMESTAMP", _): reading = .monotonic
        case (_, .time): reading = .time(source: slot(EntryTime.source))
        case _ where unit:
            reading = .unit(
                UnitSlots(
                    own: slot("_SYSTEMD_UNIT"),
                    slice: slot("_SYSTEMD_SLICE"),
                    process: slot("_PID"),
                    about: slot("UNIT"),
                    user: slot("_UID"),
                    object: slot("OBJECT_SYSTEMD_UNIT"),
                    message: slot("MESSAGE_ID"),
                    crashed: slot("COREDUMP_UNIT")
                )
            )
        case (_, .int(let range)): reading = .int(slot: slot(name, isRepeated: isRepeated), range: range)
        case (_, .text): reading = .text(slot: slot(name, isRepeated: isRepeated))
        }
        readings.append(reading)
        return readings.count - 1
    }

    private mutating func slot(_ name: String, isRepeated: Bool = false) -> Int {
        let bytes = Array(name.utf8)
        if let known = names.firstIndex(of: bytes) {
            self.isRepeated[known] = self.isRepeated[known] || isRepeated
            return known
        }
        names.append(bytes)
        self.isRepeated.append(isRepeated)
        return names.count - 1
    }
}
