/// SplitMix64: the same numbers on every run, so that a failing case can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    package mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }

    package mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[number(0..<choices.count)] }

    package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
