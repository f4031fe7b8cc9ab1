extension Duration {
    private static let units: [(name: String, duration: Duration)] = [
        ("us", .microseconds(1)), ("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60)),
        ("h", .seconds(3600)),
        ("d", .seconds(86_400)),
    ]

    /// A century: longer waits are a slip of the keyboard, and the sum must not overflow.
    private static let maxDuration = Duration.seconds(100 * 366 * 86_400)

    /// A length of time as people write it: `500ms`, `10s`, `1m30s`, `2h`. `nil` for anything else, for nothing, and for more than a
    /// century.
    package init?(written text: String) {
        var rest = text[...]
        var total = Duration.zero
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            guard let count = Int32(digits), let scale = Self.units.first(where: { $0.name == unit })?.duration else {
                return nil
            }
            total += scale * Int(count)
            guard total <= Self.maxDuration else { return nil }
            rest = rest.dropFirst(digits.count + unit.count)
        }
        guard total > .zero else { return nil }
        self = total
    }

    /// How to write one, for a person who did not.
    package static var writtenForm: String {
        "write whole numbers with their units (us, ms, s, m, h, d), as in 500ms, 10s or 1m30s; "
            + "more than nothing and at most a century"
    }
}
