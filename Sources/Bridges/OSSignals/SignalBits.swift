import Glibc

/// A set of signals as /proc writes it: bit n-1 is signal n.
struct SignalBits: OptionSet, Hashable, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ numbers: some Sequence<CInt>) {
        rawValue = numbers.reduce(0) { $0 | Self.bit($1) }
    }

    init(_ set: sigset_t) {
        // The C library's set begins with the kernel's, whose bits have the same meaning as here.
        rawValue = withUnsafeBytes(of: set) { $0.load(as: UInt64.self) }
    }

    /// In ascending order.
    var numbers: [CInt] {
        var numbers: [CInt] = []
        var rest = rawValue
        while rest != 0 {
            numbers.append(CInt(rest.trailingZeroBitCount) + 1)
            rest &= rest - 1
        }
        return numbers
    }

    var systemSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        withUnsafeMutableBytes(of: &set) { $0.storeBytes(of: rawValue, as: UInt64.self) }
        return set
    }

    /// The signals that the calling thread blocks.
    static var blockedHere: SignalBits {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return SignalBits(mask)
    }

    /// Changes the signals that the calling thread blocks.
    /// - Parameter how: `SIG_BLOCK`, `SIG_UNBLOCK` or `SIG_SETMASK`.
    /// - Returns: an error's number, 0 when there was none.
    @discardableResult
    func apply(_ how: CInt) -> CInt {
        var set = systemSet
        return pthread_sigmask(how, &set, nil)
    }

    private static func bit(_ number: CInt) -> UInt64 { (1...64).contains(number) ? 1 << UInt64(number - 1) : 0 }
}

extension SignalBits: CustomStringConvertible {
    var description: String { numbers.map { OSSignal.name(of: $0) }.joined(separator: ", ") }
}
