import ArgumentParser
import JournalBridge

/// The values of `-o`.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case short, cat, json

    var journalFormat: JournalFormat {
        switch self {
        case .short: .short
        case .cat: .cat
        case .json: .json
        }
    }
}
