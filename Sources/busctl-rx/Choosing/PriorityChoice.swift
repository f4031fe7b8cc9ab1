import Filter
import Records

/// The value of `--priority`: `err`, `3`, `warning..err`.
enum PriorityChoice {
    static let names = Severity.allCases.map(\.name)

    static func range(_ argument: String) throws -> ClosedRange<Severity> {
        let ends = argument.split(separator: ".", omittingEmptySubsequences: false)
        if ends.count == 1, let level = level(argument[...]) { return .emergency...level }
        if ends.count == 3, ends[1].isEmpty, let one = level(ends[0]), let other = level(ends[2]) {
            return min(one, other)...max(one, other)
        }
        let nearest = ends.lazy.compactMap { end in
            level(end) == nil ? Spelling.nearest(to: String(end), among: names) : nil
        }.first
        throw BadValue(
            description: nearest.map { "did you mean \($0)?" }
                ?? "write a severity, \(names.joined(separator: ", ")) or 0 to 7, or two, as in warning..err"
        )
    }

    private static func level(_ text: Substring) -> Severity? {
        let number = text.count == 1 ? Int(text) : nil
        return Severity.allCases.first { $0.name == text } ?? number.flatMap { Severity(rawValue: $0) }
    }
}

/// The value of `--facility`: names or numbers, separated by commas.
enum FacilityChoice {
    static let names = [
        "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp",
    ]

    /// The same with those for local use.
    static var all: [String] { names + (0...7).map { "local\($0)" } }

    static func numbers(_ argument: String) throws -> [Int] {
        try argument.split(separator: ",", omittingEmptySubsequences: false).map { text in
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
