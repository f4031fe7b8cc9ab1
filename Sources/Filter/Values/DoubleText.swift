/// Doubles as CEL's reference prints them, by Go's `%g`: the fewest digits that read back the same, with an exponent
/// below 1e-04 and from 1e+06 on.
enum DoubleText {
    static func format(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if value == 0 { return value.sign == .minus ? "-0" : "0" }
        let (digits, exponent) = shortest(value.magnitude)
        let sign = value < 0 ? "-" : ""
        guard (-4..<6).contains(exponent) else {
            let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
            let power = String(exponent.magnitude)
            let padded = power.count < 2 ? "0" + power : power
            return "\(sign)\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(padded)"
        }
        return plain(value)
    }

    /// Without an exponent, however many digits that takes: as formatting writes it.
    static func plain(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        if value == 0 { return value.sign == .minus ? "-0" : "0" }
        let (digits, exponent) = shortest(value.magnitude)
        let sign = value < 0 ? "-" : ""
        if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
        let whole = digits.prefix(exponent + 1)
        let fraction = digits.dropFirst(exponent + 1)
        return sign + whole + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
            + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The digits without leading or trailing zeros, and the power of ten of the first.
    private static func shortest(_ value: Double) -> (digits: String, exponent: Int) {
        // Swift prints the shortest digits that read back the same, in plain or exponential notation.
        let parts = value.description.split(separator: "e")
        let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let mantissa = parts[0].split(separator: ".")
        let whole = mantissa[0]
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        var digits = String(whole + fraction)
        var exponent = whole.count - 1 + power
        while digits.hasPrefix("0"), digits.count > 1 {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
        return (digits, exponent)
    }
}
