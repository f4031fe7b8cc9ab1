import Filter

/// The value of `--priority`: `err`, `3`, `warning..err`.
struct PriorityChoice: Equatable {
    static let names = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"]

    private let range: ClosedRange<Int>

    init(argument: String) throws {
        let ends = argument.split(separator: ".", omittingEmptySubsequences: false)
        if ends.count == 1, let level = Self.level(argument[...]) {
            range = 0...level
        } else if ends.count == 3, ends[1].isEmpty, let one = Self.level(ends[0]), let other = Self.level(ends[2]) {
            range = min(one, other)...max(one, other)
        } else {
            let nearest = ends.lazy.compactMap { end in
                Self.level(end) == nil ? Spelling.nearest(to: String(end), among: Self.names) : nil
            }.first
            throw BadValue(
                description: nearest.map { "did you mean \($0)?" }
                    ?? "write a severity, \(Self.names.joined(separator: ", ")) or 0 to 7, or two, as in warning..err"
            )
        }
    }

    private static func level(_ text: Substring) -> Int? {
        names.firstIndex { $0 == text } ?? Int(text).flatMap { (0...7).contains($0) && text.count == 1 ? $0 : nil }
    }

    /// `nil` where all severities match, also entries without one.
    var expression: String? {
        if range == 0...7 { return nil }
        return range.lowerBound == 0
            ? "priority <= \(range.upperBound)"
            : "priority >= \(range.lowerBound) && priority <= \(range.upperBound)"
    }
}

/// The value of `--facility`: names or numbers, separated by commas.
struct FacilityChoice: Equatable {
    static let names = [
        "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp",
    ]

    /// The same with those for local use.
    static var all: [String] { names + (0...7).map { "local\($0)" } }

    let numbers: [Int]

    init(argument: String) throws {
        numbers = try argument.split(separator: ",", omittingEmptySubsequences: false).map { text in
            if let number = Self.names.firstIndex(where: { $0 == text }) { return number }
            if text.hasPrefix("local"), text.count == 6, let number = Int(text.dropFirst(5)), (0...7).contains(number) {
                return 16 + number
            }
            if let number = Int(text), (0...23).contains(number) { return number }
            if let nearest = Spelling.nearest(to: String(text), among: Self.all) {
                throw BadValue(description: "did you mean \(nearest)?")
            }
            throw BadValue(
                description:
                    "write facilities, \(Self.names.joined(separator: ", ")), local0 to local7 or 0 to 23, separated by"
                    + " commas"
            )
        }
    }
}
