import ArgumentParser

/// The value of `-o` for counts.
struct CountFormat: ExpressibleByArgument {
    let format: CountText.Format

    static let table = CountFormat(format: .table)

    private init(format: CountText.Format) {
        self.format = format
    }

    init?(argument: String) {
        guard let format = CountText.Format(rawValue: argument) else { return nil }
        self.format = format
    }

    static var allValueStrings: [String] { CountText.Format.allCases.map(\.rawValue) }

    var defaultValueDescription: String { format.rawValue }
}
