/// Durations as CEL writes them: `1h30m`, `1.5s`, `-250ms`.
enum DurationText {
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("ns", 1), ("us", 1000), ("µs", 1000), ("μs", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
        ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        // CEL has no units above the hour, because a day may be an hour shorter or longer; people write them all the
        // same, and mean 24 hours.
        ("d", 86_400_000_000_000), ("w", 604_800_000_000_000),
    ]

    /// In nanoseconds; `nil` when the text is no duration, or one beyond 64 bits, about 292 years.
    static func parse(_ text: some Sequence<UInt8>) -> Int64? {
        var rest = ArraySlice(text)
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        if rest.elementsEqual([UInt8(ascii: "0")]) { return 0 }
        guard !rest.isEmpty else { return nil }
        // Summed below zero, because the least value has no positive counterpart.
        var total: Int64 = 0
        while !rest.isEmpty {
            guard let part = parsePart(&rest) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            if overflow { return nil }
            total = sum
        }
        if isNegative { return total }
        return total == .min ? nil : -total
    }

    /// One number with its unit, as a negative count of nanoseconds.
    private static func parsePart(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let whole = takeDigits(&rest)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = takeDigits(&rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        let letters = rest.prefix { $0 != UInt8(ascii: ".") && !(0x30...0x39).contains($0) }
        let name = String(decoding: letters, as: UTF8.self)
        guard let unit = units.first(where: { $0.name == name }) else { return nil }
        rest.removeFirst(letters.count)

        guard let count = whole.isEmpty ? 0 : Int64("-" + String(decoding: whole, as: UTF8.self)) else { return nil }
        let (scaled, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
        var fractional: Int64 = 0
        var scale = unit.nanoseconds
        for digit in fraction where scale > 0 {
            // Digits too fine for a nanosecond are dropped. An hour's tenths leave whole nanoseconds down to the
            // eleventh digit.
            fractional += scale * Int64(digit - 0x30) / 10
            scale /= 10
        }
        let (sum, carry) = scaled.subtractingReportingOverflow(fractional)
        return overflow || carry ? nil : sum
    }

    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest.removeFirst(digits.count)
        return digits
    }

    /// Seconds, with as many decimals as needed: `1.5s`.
    static func format(_ nanoseconds: Int64) -> String {
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var text = "\(nanoseconds < 0 ? "-" : "")\(seconds)"
        if rest != 0 {
            let digits = String(rest)
            text += "." + String(repeating: "0", count: 9 - digits.count) + digits
            while text.hasSuffix("0") { text.removeLast() }
        }
        return text + "s"
    }
}
