import Bridges
import Bus
import Records

// How the parts of the daemon that do not know each other hear of things. The values are Codable, so that the tap shows their parts.

/// An error of the unit.
struct UnitFailure: Codable, Sendable {
    var unit: String
    var message: String
    var commandLine: String?

    /// Nil for an entry without a message.
    init?(_ entry: JournalEntry, of unit: String) {
        guard let message = entry["MESSAGE"] else { return nil }
        self.unit = unit
        self.message = message
        commandLine = entry["_CMDLINE"]
    }

    /// An error that another source tells of.
    init(_ record: Record) {
        unit = record.source
        message = record.message ?? "an error without a message"
    }
}

/// How many errors there were.
struct Summary: Codable, Sendable {
    var errors: Int
}

struct LoadedConfiguration: Codable, Sendable {
    var unit: String
    var summary: String

    init(_ configuration: Configuration) {
        unit = configuration.unit
        summary = configuration.summary
    }
}

extension Topic where Value == UnitFailure {
    static let unitFailed = Topic("unit.failed")
}

extension Topic where Value == Summary {
    static let summarized = Topic("summary.made", keeping: .last)
}

extension Topic where Value == LoadedConfiguration {
    static let configurationLoaded = Topic("configuration.loaded", keeping: .last)
}
