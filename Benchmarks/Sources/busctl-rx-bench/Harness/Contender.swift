/// One way of handling a number of events.
struct Contender {
    let role: BenchmarkRole
    let name: String
    /// A slow contender handles fewer events by this factor, so that a round stays short.
    let divisor: Int
    /// Handles the events and returns a checksum of what arrived.
    let run: (_ events: Int) throws -> UInt64

    static func ours(_ run: @escaping (Int) throws -> UInt64) -> Contender {
        Contender(role: .ours, name: "busctl-rx", divisor: 1, run: run)
    }

    static func floor(_ name: String, _ run: @escaping (Int) throws -> UInt64) -> Contender {
        Contender(role: .floor, name: name, divisor: 1, run: run)
    }

    static func instead(_ name: String, fewer divisor: Int = 1, _ run: @escaping (Int) throws -> UInt64) -> Contender {
        Contender(role: .instead, name: name, divisor: divisor, run: run)
    }
}
