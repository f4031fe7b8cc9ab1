import Bus
import Glibc

/// How long after a calendar's times its ticks come, so that a thousand machines with the same calendar do not all do
/// the same thing in the same second.
public struct SpreadDelay: Sendable, Hashable {
    fileprivate enum Choice: Sendable, Hashable {
        case none
        case random(limit: Int64, seed: UInt64?)
        case fixed(Int64)
    }

    private let choice: Choice

    /// No delay.
    public static let none = SpreadDelay(choice: .none)

    /// A delay between zero and `limit` for each tick, chosen anew every time: systemd's `RandomizedDelaySec=`.
    ///
    /// - Parameters:
    ///   - limit: the longest delay; zero or less is none.
    ///   - seed: makes the delays the same in each subscription; without one they are different in each.
    public static func random(upTo limit: Duration, seed: UInt64? = nil) -> SpreadDelay {
        SpreadDelay(choice: .random(limit: max(0, limit.saturatedNanoseconds), seed: seed))
    }

    /// A delay between zero and `limit` that is always the same on this machine for this name, and different on
    /// another machine: systemd's `FixedRandomDelay=`. The time between two ticks is then that of the calendar.
    ///
    /// - Parameters:
    ///   - limit: the longest delay; zero or less is none.
    ///   - name: the purpose, for example the daemon's and the job's name; each name gets a delay of its own.
    /// - Throws: ``SpreadDelayError`` when the machine has no identity, `/etc/machine-id`.
    public static func perMachine(upTo limit: Duration, name: String) throws(SpreadDelayError) -> SpreadDelay {
        let path = "/etc/machine-id"
        let machine: [UInt8]
        do throws(FileError) {
            machine = try FileError.contents(of: path, limit: 4096)
        } catch {
            throw SpreadDelayError(path: path, code: error.code)
        }
        return fixed(upTo: limit, machine: machine, name: name)
    }

    package static func fixed(upTo limit: Duration, machine: [UInt8], name: String) -> SpreadDelay {
        // FNV-1a, because it is the same everywhere and for ever; the generator behind it spreads the bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in machine + [0] + name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var random = SeededRandom(seed: hash)
        return SpreadDelay(choice: .fixed(.random(in: 0...max(0, limit.saturatedNanoseconds), using: &random)))
    }

    /// The delays of one subscription, in nanoseconds, one after another.
    struct Sequence: Sendable {
        private let choice: Choice
        private var random: SeededRandom

        fileprivate init(_ choice: Choice) {
            self.choice = choice
            if case .random(_, let seed) = choice {
                random = SeededRandom(seed: seed)
            } else {
                random = SeededRandom(seed: 0)
            }
        }

        mutating func next() -> Int64 {
            switch choice {
            case .none: 0
            case .random(let limit, _): .random(in: 0...limit, using: &random)
            case .fixed(let delay): delay
            }
        }
    }

    var delays: Sequence { Sequence(choice) }
}

/// The machine's identity, from which its delay is derived, could not be read.
public struct SpreadDelayError: Error, Equatable, CustomStringConvertible {
    public let path: String
    /// The system's error number (`errno`).
    public let code: CInt

    public var description: String {
        "cannot choose this machine's delay: cannot read \(path): \(SystemError.numbered(code)); "
            + "make one with systemd-machine-id-setup, or use a random delay"
    }
}
