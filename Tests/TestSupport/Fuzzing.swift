import Glibc

/// How long a test feeds random input: some rounds, or what `make fuzz` says: `NAME_FUZZ_SECONDS` of processor time, from the seed
/// `NAME_FUZZ_SEED`.
package struct Fuzzing {
    private let seconds: Double?
    private let rounds: Int
    private let seed: UInt64

    /// - Parameters:
    ///   - name: in capitals.
    ///   - few: so many rounds in `make test`.
    ///   - many: so many in `make stress`, times its factor.
    package init(_ name: String, rounds few: Int, stress many: Int) {
        func setting(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
        seconds = setting("\(name)_FUZZ_SECONDS").map { Double($0) }
        seed = setting("\(name)_FUZZ_SEED") ?? 7
        rounds = Stress.rounds(few, stress: many)
    }

    /// Whether this is `make fuzz`, which wants to see some figures.
    package var isAsked: Bool { seconds != nil }

    /// Calls `body` with the number of the round.
    ///
    /// - Returns: how many rounds there were.
    @discardableResult
    package func run(_ body: (inout SeededGenerator, _ round: Int) throws -> Void) rethrows -> Int {
        var generator = SeededGenerator(seed)
        let end = seconds.map { Self.processorSeconds() + $0 }
        var round = 0
        while end.map({ Self.processorSeconds() < $0 }) ?? (round < rounds) {
            try body(&generator, round)
            round += 1
        }
        return round
    }

    /// The processor time of this process. On a busy machine the fuzzing takes longer, and does as much.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension SeededGenerator {
    /// The same with up to three changes: a byte that is another, is missing, comes twice or is new, a part that is repeated, or the end cut
    /// off. Bytes that stand in many formats are preferred.
    package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<number(0..<4) where !bytes.isEmpty {
            let place = number(0..<bytes.count)
            let byte =
                chance(50)
                ? pick(Array("\0\n\r\t \"'\\{}[]()=:;,.-+*/%09aZ\u{1B}\u{FF}".utf8)) : UInt8(truncatingIfNeeded: next())
            switch number(0..<7) {
            case 0, 1: bytes[place] = byte
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(byte, at: place)
            case 4: bytes.insert(bytes[place], at: place)
            case 5:
                let part = bytes[place...].prefix(number(1..<16))
                for _ in 0..<number(1..<8) { bytes.insert(contentsOf: part, at: place) }
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
