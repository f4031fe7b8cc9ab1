/// Instants at whole numbers of periods after an origin: the ticks of operators with a beat of their own.
@frozen
@usableFromInline
struct TickGrid: Sendable {
    /// Shorter periods, 16,384 ns, would mean a timer that is nearly always due: waking a thread takes as long.
    @usableFromInline static var minPeriod: Int64 { 16_384 }

    @usableFromInline let origin: Int64
    @usableFromInline let period: Int64

    @usableFromInline
    init(origin: Int64, period: Int64) {
        self.origin = origin
        self.period = max(period, Self.minPeriod)
    }

    /// The first instant of the grid, after the origin, that is not before `time`; `.max` when the clock's range ends
    /// sooner.
    @usableFromInline
    func tick(notBefore time: Int64) -> Int64 {
        // Unsigned, so that the distance between any two instants fits.
        let distance = time <= origin ? 0 : UInt64(bitPattern: time &- origin)
        let periods = max(1, distance / UInt64(period) + (distance % UInt64(period) == 0 ? 0 : 1))
        let (offset, isBeyond) = periods.multipliedReportingOverflow(by: UInt64(period))
        let rest = UInt64(bitPattern: Int64.max &- origin)
        return isBeyond || offset > rest ? .max : origin &+ Int64(bitPattern: offset)
    }
}
