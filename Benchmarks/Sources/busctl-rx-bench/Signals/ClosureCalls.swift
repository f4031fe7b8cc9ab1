/// The least cost of reaching a listener that is unknown at compile time: the call of a stored closure.
enum ClosureCalls {
    static func one(_ count: Int) -> UInt64 { calls(of: 1, events: count) }
    static func ten(_ count: Int) -> UInt64 { calls(of: 10, events: count) }

    private static func calls(of listeners: Int, events: Int) -> UInt64 {
        Tally.of { tally in
            let closure = listener(tally)
            for number in 0..<events {
                for _ in 0..<listeners { closure(number) }
            }
        }
    }

    // Not inlined, so that it remains a call.
    @inline(never)
    private static func listener(_ tally: Tally) -> @Sendable (Int) -> Void {
        { tally.add($0) }
    }
}
