import Filter
public import Records

extension EntryChoice {
    /// Severities as journalctl's `--priority` has them: `err` or `3` for these and all that are worse, `warning..err` for a range.
    ///
    /// - Throws: ``EntryChoiceError/mistake(_:)``, with the correction.
    public static func priorities(written text: String) throws(EntryChoiceError) -> ClosedRange<Severity> {
        let ends = text.split(separator: ".", omittingEmptySubsequences: false)
        if ends.count == 1, let level = level(text[...]) { return .emergency...level }
        if ends.count == 3, ends[1].isEmpty, let one = level(ends[0]), let other = level(ends[2]) {
            return min(one, other)...max(one, other)
        }
        let names = Severity.allCases.map(\.name)
        let nearest = ends.lazy.compactMap { end in
            level(end) == nil ? Spelling.nearest(to: String(end), among: names) : nil
        }.first
        throw .mistake(
            nearest.map { "did you mean \($0)?" }
                ?? "write a severity, \(names.joined(separator: ", ")) or 0 to 7, or two, as in warning..err"
        )
    }

    private static func level(_ text: Substring) -> Severity? {
        let number = text.count == 1 ? Int(text) : nil
        return Severity.allCases.first { $0.name == text } ?? number.flatMap { Severity(rawValue: $0) }
    }

    private static let commonFacilities = [
        "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp",
    ]

    /// The names of facilities, those for local use among them.
    package static var facilityNames: [String] { commonFacilities + (0...7).map { "local\($0)" } }

    /// Facilities as journalctl's `--facility` has them: names or numbers, separated by commas.
    ///
    /// - Throws: ``EntryChoiceError/mistake(_:)``, with the correction.
    public static func facilities(written text: String) throws(EntryChoiceError) -> [Int] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { text throws(EntryChoiceError) in
            if let number = commonFacilities.firstIndex(where: { $0 == text }) { return number }
            if text.hasPrefix("local"), text.count == 6, let number = Int(text.dropFirst(5)), (0...7).contains(number) {
                return 16 + number
            }
            if let number = Int(text), (0...23).contains(number) { return number }
            if let nearest = Spelling.nearest(to: String(text), among: facilityNames) {
                throw .mistake("did you mean \(nearest)?")
            }
            throw .mistake(
                "write facilities, \(commonFacilities.joined(separator: ", ")), local0 to local7 or 0 to 23, separated by"
                    + " commas"
            )
        }
    }
}
