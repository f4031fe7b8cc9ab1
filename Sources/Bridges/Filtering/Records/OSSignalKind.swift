import Filter
import OSSignalBridge

extension RecordKind {
    /// Records of OS signals. `SIGTERM` and the like are names of numbers.
    public static let osSignals = RecordKind(
        .known([
            "number": .int, "name": .string, "code": .int, "pid": .int, "uid": .int, "value": .int, "status": .int,
        ]),
        constants: OSSignal.numbersByName.mapValues(Int64.init)
    )
}
