/// A length of time as people write it: `500ms`, `10s`, `1m30s`, `2h`.
struct DurationArgument: Equatable {
    let duration: Duration

    init(argument: String) throws {
        guard let duration = Self.parse(argument) else {
            throw BadValue(
                description: "write whole numbers with their units (us, ms, s, m, h, d), as in 500ms, 10s or 1m30s; "
                    + "more than nothing and at most a century"
            )
        }
        self.duration = duration
    }

    /// The value of `--order-window`: a duration, or 0.
    static func window(_ text: String) throws -> DurationArgument {
        if text == "0" { return DurationArgument(duration: .zero) }
        guard let duration = parse(text) else {
            throw BadValue(description: "write a duration, as in 100ms or 2s, or 0 for the order of arrival")
        }
        return DurationArgument(duration: duration)
    }

    private init(duration: Duration) {
        self.duration = duration
    }

    private static let units: [(name: String, duration: Duration)] = [
        ("us", .microseconds(1)), ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)),
        ("h", .seconds(3600)),
        ("d", .seconds(86_400)),
    ]

    /// A century: longer waits are a slip of the keyboard, and the sum must not overflow.
    private static let maxDuration = Duration.seconds(100 * 366 * 86_400)

    private static func parse(_ text: String) -> Duration? {
        var rest = text[...]
        var total = Duration.zero
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            guard let count = Int32(digits), let scale = units.first(where: { $0.name == unit })?.duration else {
                return nil
            }
            total += scale * Int(count)
            guard total <= maxDuration else { return nil }
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return total > .zero ? total : nil
    }
}
