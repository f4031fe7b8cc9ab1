import Records

/// A mistake in an option's value, with the correction, for a person to read. The parser puts the value and the
/// option in front.
struct BadValue: Error, CustomStringConvertible {
    let description: String
}

extension Bool {
    /// A truth value as systemd reads it; `nil` for another text.
    init?(truth text: String) {
        switch text.lowercased() {
        case "1", "yes", "y", "true", "t", "on": self = true
        case "0", "no", "n", "false", "f", "off": self = false
        default: return nil
        }
    }
}

/// Whole numbers as values of options.
enum WholeNumber {
    /// - Parameter example: the option with a value, for the message about another one.
    static func parse(_ text: String, in range: ClosedRange<Int> = 1 ... .max, example: String) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            let kind =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw BadValue(description: "write a whole number \(kind), as in \(example)")
        }
        return number
    }
}

extension RecordTime {
    /// The value of `--since` and `--until`.
    init(argument: String) throws {
        guard let time = RecordTime(written: argument) else {
            throw BadValue(
                description:
                    "write a time, as in '2026-11-23 18:00', '18:00 Asia/Tokyo', today, yesterday, -2h, '10min ago' or @1700000000"
            )
        }
        self = time
    }
}

extension Duration {
    /// The value of an option.
    init(argument: String) throws {
        guard let duration = Duration(written: argument) else { throw BadValue(description: Self.writtenForm) }
        self = duration
    }

    /// The value of `--order-window`: a duration, or 0.
    static func window(_ text: String) throws -> Duration {
        if text == "0" { return .zero }
        guard let duration = Duration(written: text) else {
            throw BadValue(description: "write a duration, as in 100ms or 2s, or 0 for the order of arrival")
        }
        return duration
    }
}

extension RecordTiming {
    /// The value of `--rate`: how many in which time, as in `10/s`, `100/1m`.
    static func rate(argument: String) throws -> (count: Int, duration: Duration) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let count = Int(parts[0]), count > 0, count <= 1_000_000, let first = parts[1].first,
            let duration = Duration(written: first.isNumber ? parts[1] : "1\(parts[1])")
        else {
            throw BadValue(description: "write a number, / and a unit of time or a duration, as in 10/s or 100/5m")
        }
        return (count, duration)
    }
}

/// The value of `--skew`: `SOURCE=±DURATION`, the correction to the times of a source whose clock is wrong.
struct SkewArgument: Equatable {
    let source: String
    let duration: Duration

    init(argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, let sign = parts[1].first, sign == "+" || sign == "-" else {
            throw BadValue(description: "write the name of a source, =, a sign and a duration, as in web=+1500ms")
        }
        let duration = try Duration(argument: String(parts[1].dropFirst()))
        source = parts[0]
        self.duration = sign == "-" ? .zero - duration : duration
    }
}

/// The value of `--template`.
struct TemplateArgument: Equatable {
    let template: RecordTemplate

    init(argument: String) throws {
        if argument.isEmpty { throw BadValue(description: "write what to show, as in '{time:iso} {message}'") }
        do throws(RecordTemplateError) {
            template = try RecordTemplate(argument)
        } catch {
            throw BadValue(description: "at byte \(error.offset + 1): \(error.description)")
        }
    }
}
