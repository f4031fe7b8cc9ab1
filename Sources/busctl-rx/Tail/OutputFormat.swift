import ArgumentParser
import JournalBridge

/// The value of `-o`.
struct OutputFormat: ExpressibleByArgument {
    let format: JournalFormat

    init(_ format: JournalFormat) {
        self.format = format
    }

    init?(argument: String) {
        guard let format = JournalFormat(rawValue: argument) else { return nil }
        self.format = format
    }

    static var allValueStrings: [String] { JournalFormat.allCases.map(\.rawValue) }

    var defaultValueDescription: String { format.rawValue }
}
