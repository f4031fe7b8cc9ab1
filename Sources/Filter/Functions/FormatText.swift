import Glibc

/// `"%s has %d".format([name, count])`.
enum FormatText {
    /// A percent sign with something behind it that is no clause.
    struct UnknownClause: Error {
        let text: String
    }

    private struct Clause {
        var letter: UInt8
        var precision: Int?
        /// The first byte behind it.
        var end: Int
    }

    /// No double has more digits behind the point.
    private static let finest = 1100
    /// Bytes of the longest number: a sign, 309 digits before the point, and those behind it.
    private static let widest = finest + 400
    /// The cost of a digit. Each is computed from all the bits of the number.
    private static let digitCost = 2

    /// How many values the format asks for.
    static func clauses(_ format: [UInt8]) -> Result<Int, UnknownClause> {
        format.withUnsafeBytes { bytes in
            var count = 0
            var position = 0
            while let percent = bytes[position...].firstIndex(of: UInt8(ascii: "%")) {
                guard let clause = clause(bytes, at: percent) else {
                    let rest = bytes[(percent + 1)...]
                    let letter = rest.firstIndex { !".0123456789".utf8.contains($0) } ?? rest.endIndex
                    let end = bytes[min(letter + 1, bytes.count)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
                    return .failure(UnknownClause(text: String(decoding: bytes[percent..<end], as: UTF8.self)))
                }
                if clause.letter != UInt8(ascii: "%") { count += 1 }
                position = clause.end
            }
            return .success(count)
        }
    }

    static func format(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .string(let format) = arguments[0], case .list(let values) = arguments[1] else {
            return .failure(.noOverload)
        }
        var result: [UInt8] = []
        var next = 0
        var position = 0
        while let percent = format[position...].firstIndex(of: UInt8(ascii: "%")) {
            result += format[position..<percent]
            guard let clause = clause(format, at: percent) else { return .failure(.invalidFormat) }
            position = clause.end
            if clause.letter == UInt8(ascii: "%") {
                result.append(clause.letter)
                continue
            }
            guard next < values.count else { return .failure(.missingArgument) }
            if let code = write(values[next], clause, &result, &state) { return .failure(code) }
            next += 1
            guard state.arena.mayHold(result.count) else { return .failure(.tooLarge) }
        }
        result += format[position...]
        guard state.allowance.payForText(result.count) else { return .failure(.tooCostly) }
        guard state.arena.mayHold(result.count) else { return .failure(.tooLarge) }
        return .success(.string(state.arena.text(result)))
    }

    /// `%`, a precision such as `.3` for `e` and `f`, and a letter.
    private static func clause(_ format: UnsafeRawBufferPointer, at percent: Int) -> Clause? {
        var position = percent + 1
        var precision: Int?
        if position < format.count, format[position] == UInt8(ascii: ".") {
            let digits = format[(position + 1)...].prefix { (0x30...0x39).contains($0) }
            guard (1...4).contains(digits.count) else { return nil }
            precision = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            position = digits.endIndex
        }
        guard position < format.count else { return nil }
        let letter = format[position]
        let allowed = precision == nil ? "%sdfebxXo" : "fe"
        guard allowed.utf8.contains(letter), precision ?? 0 <= finest else { return nil }
        return Clause(letter: letter, precision: precision, end: position + 1)
    }

    /// The reason why the value cannot be written; `nil` when it was.
    private static func write(_ value: Value, _ clause: Clause, _ result: inout [UInt8], _ state: inout Evaluation)
        -> Fault.Code?
    {
        switch clause.letter {
        case UInt8(ascii: "s"): return FormattedValue.append(value, to: &result, &state)
        case UInt8(ascii: "d"):
            switch value {
            case .int(let number): result += String(number).utf8
            case .uint(let number): result += String(number).utf8
            case .double: return FormattedValue.append(value, to: &result, &state)
            default: return .noOverload
            }
        case UInt8(ascii: "e"), UInt8(ascii: "f"):
            let number: Double
            switch value {
            case .double(let value): number = value
            case .int(let value): number = Double(value)
            case .uint(let value): number = Double(value)
            default: return .noOverload
            }
            guard number.isFinite else {
                result += DoubleText.plain(number).utf8
                break
            }
            guard state.allowance.pay(Conversion.writingCost + digitCost * digits(number, clause)) else {
                return .tooCostly
            }
            append(number, clause, to: &result)
        default: return writeDigits(value, clause.letter, &result, &state)
        }
        return nil
    }

    private static let usualPrecision = 6

    /// How many digits are written, at most.
    private static func digits(_ number: Double, _ clause: Clause) -> Int {
        let precision = clause.precision ?? usualPrecision
        // Ten bits are three digits.
        return clause.letter == UInt8(ascii: "e") ? precision : precision + max(0, Int(number.exponent)) * 3 / 10
    }

    /// Never changed.
    nonisolated(unsafe) private static let plain = newlocale(1 << LC_NUMERIC, "C", nil)

    private static func append(_ number: Double, _ clause: Clause, to result: inout [UInt8]) {
        let format = clause.letter == UInt8(ascii: "e") ? "%.*e" : "%.*f"
        // The program around may write numbers as its user's country does.
        let before = uselocale(plain)
        defer { uselocale(before) }
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: widest) { text in
            let count = withVaList([Int32(clause.precision ?? usualPrecision), number]) {
                vsnprintf(text.baseAddress, text.count, format, $0)
            }
            result += UnsafeRawBufferPointer(text)[..<min(Int(max(0, count)), widest - 1)]
        }
    }

    /// Binary, octal and hexadecimal.
    private static func writeDigits(
        _ value: Value,
        _ letter: UInt8,
        _ result: inout [UInt8],
        _ state: inout Evaluation
    ) -> Fault.Code? {
        let isUpper = letter == UInt8(ascii: "X")
        let radix = letter == UInt8(ascii: "b") ? 2 : letter == UInt8(ascii: "o") ? 8 : 16
        switch value {
        case .int(let number): result += String(number, radix: radix, uppercase: isUpper).utf8
        case .uint(let number): result += String(number, radix: radix, uppercase: isUpper).utf8
        case .bool(let flag) where radix == 2: result.append(flag ? 0x31 : 0x30)
        case .string(let content) where radix == 16, .bytes(let content) where radix == 16:
            guard state.allowance.pay(content.count) else { return .tooCostly }
            guard state.arena.mayHold(result.count + 2 * content.count) else { return .tooLarge }
            let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
            for byte in content { result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        default: return .noOverload
        }
        return nil
    }
}
