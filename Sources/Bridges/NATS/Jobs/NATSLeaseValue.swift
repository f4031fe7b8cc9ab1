import Timers

/// What the key of a lease has.
///
/// ```
/// lease 1
/// number 1772420017
/// holder web-1/4242
/// grant 9f3c2a7be01d4c55
/// milliseconds 15000
/// end
/// ```
///
/// While nobody has the lease, the last number alone is kept.
struct NATSLeaseValue: Sendable, Hashable {
    struct Holder: Sendable, Hashable {
        /// For people.
        var name: String
        /// Tells it from all other grants, also from one with the same number in a bucket that was lost.
        var grant: UInt64
        /// The time to live.
        var milliseconds: Int64
    }

    /// The highest number that was given out.
    var number: UInt64
    var holder: Holder?

    private static let maxLength = 1024

    init(number: UInt64, holder: Holder? = nil) {
        self.number = number
        self.holder = holder
    }

    var bytes: [UInt8] {
        var lines = ["lease 1", "number \(number)"]
        if let holder {
            lines += [
                "holder \(holder.name)", "grant \(String(holder.grant, radix: 16))",
                "milliseconds \(holder.milliseconds)",
            ]
        }
        return Array((lines.joined(separator: "\n") + "\nend\n").utf8)
    }

    /// Nil for anything else than such a text.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maxLength, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4 || lines.count == 7, lines.removeFirst() == "lease 1", lines.removeLast() == "",
            lines.removeLast() == "end"
        else { return nil }
        var values: [Substring] = []
        for (line, name) in zip(lines, ["number ", "holder ", "grant ", "milliseconds "]) {
            guard line.hasPrefix(name) else { return nil }
            values.append(line.dropFirst(name.count))
        }
        // The highest number leaves none to give out.
        guard let number = UInt64(values[0]), number < .max else { return nil }
        self.init(number: number)
        guard values.count == 4 else { return }
        guard let grant = UInt64(values[2], radix: 16), let milliseconds = Int64(values[3]), milliseconds > 0 else {
            return nil
        }
        holder = Holder(name: String(values[1]), grant: grant, milliseconds: milliseconds)
    }
}
