import Bridges
import Filter
import Foundation
import RecordSources
import Timers

/// What the daemon is told by its file: lines of `name = value`, empty ones, and comments after `#`.
struct Configuration: Sendable {
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    /// The unit whose errors are watched.
    var unit = ""
    /// At most one of its errors is passed on in this time.
    var pause = Duration.seconds(10)
    /// What else is watched for errors: `json:/var/log/shop.json`, `ssh:web-1`, as `busctl-rx tail --from` takes it.
    var others: [NamedSource] = []
    /// When the errors are summed up.
    var summary = "hourly"
    /// Where the journal lies; the system's by default.
    var journal: String?
    /// Where journald listens; the system's by default. Read at the start alone.
    var socket: String?
    /// Where others may look in: in the service's runtime directory, if it has one, by default. Read at the start alone.
    var tap: String?

    init(file path: String) throws {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw Mistake(description: "cannot read \(path): \(error.localizedDescription)")
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let setting = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            guard !setting.isEmpty else { continue }
            let parts = setting.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, set(parts[0], parts[1]) else {
                throw Mistake(description: "\(path), line \(index + 1): \"\(setting)\" is no setting")
            }
        }
        if tap == nil { tap = Self.runtimeDirectory.map { "\($0)/unitwatch.tap" } }
        guard !unit.isEmpty else { throw Mistake(description: "\(path) names no unit: unit = nginx.service") }
        _ = try schedule()
        _ = try query()
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "unit": unit = value
        case "pause":
            guard let seconds = Double(value), seconds >= 0 else { return false }
            pause = .seconds(seconds)
        case "also":
            guard let source = try? SourceKinds.standard.source(value) else { return false }
            others.append(NamedSource(value, source))
        case "summary": summary = value
        case "journal": journal = value
        case "socket": socket = value
        case "tap": tap = value
        default: return false
        }
        return true
    }

    /// The first directory of `RuntimeDirectory=`.
    private static var runtimeDirectory: Substring? {
        ProcessInfo.processInfo.environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first
    }

    func schedule() throws -> CalendarSchedule { try CalendarSchedule(summary) }

    func query() throws -> JournalQuery {
        let schema = JournalSchema()
        let quoted = unit.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return JournalQuery(
            try CompiledFilter("priority <= err && unit == \"\(quoted)\"", schema: schema),
            schema: schema
        )
    }

    var source: JournalSource { journal.map { .directory($0) } ?? .system }
}
