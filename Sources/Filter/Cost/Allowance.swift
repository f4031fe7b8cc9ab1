/// The remaining cost that an evaluation may have.
///
/// A unit is about as much work as one instruction of a program. An operation pays beforehand for the bytes that it
/// looks at: one unit for ten bytes where the processor takes many at a time, as in comparing, copying and searching,
/// and one unit for each byte where each is looked at by itself.
struct Allowance {
    /// Below zero when too much was used.
    private(set) var left: Int

    /// Lists, maps and optionals within each other that a function is in.
    private var depth = 0

    init(_ cost: Int) {
        left = cost
    }

    /// For the constants of an expression, whose length is bounded.
    static var unlimited: Allowance { Allowance(.max) }

    @inline(__always)
    var isExhausted: Bool { left < 0 }

    /// Pays for one instruction, even if nothing is left: instructions that do more ask before they do it.
    @inline(__always)
    mutating func payForInstruction() {
        left &-= 1
    }

    /// False when that was too much, and from then on.
    @inline(__always)
    mutating func pay(_ cost: Int) -> Bool {
        guard cost <= left else {
            left = -1
            return false
        }
        left -= cost
        return true
    }

    /// Goes into a list, a map or an optional, for a function that calls itself: bindings may nest values far deeper than any
    /// expression is. False when that was too deep, and from then on.
    @inline(__always)
    mutating func goIn() -> Bool {
        depth += 1
        return depth <= FilterLimits.depth || pay(.max)
    }

    @inline(__always)
    mutating func goOut() {
        depth -= 1
    }

    /// Pays for so many bytes that are compared, copied or searched, many at a time.
    @inline(__always)
    mutating func payForText(_ byteCount: Int) -> Bool {
        pay(1 + byteCount / 10)
    }

    /// Pays for matching so many bytes with a regular expression. RE2 may have to look at every instruction for every
    /// byte.
    @inline(__always)
    mutating func payForMatch(_ byteCount: Int, programSize: Int) -> Bool {
        let (steps, overflow) = byteCount.multipliedReportingOverflow(by: programSize)
        return pay(overflow ? .max : 1 + steps / 10)
    }
}
