import Bridges
import Filter
import Forwarding
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
    /// What else is watched for errors: `json:/var/log/shop.json`, `ssh:web-1`, as `busctl-rx tail --from` takes it, and
    /// `pressure:memory`.
    var others: [NamedSource] = []
    /// Where its errors are stored: `nats://hub:4222 errors.web-1`, a server of NATS and a subject that a stream there keeps.
    var sink: JetStreamSink?
    /// The file with the place up to which they are: in the service's state directory, if it has one, by default.
    var place: String?
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
        if tap == nil { tap = Self.directory("RUNTIME_DIRECTORY").map { "\($0)/unitwatch.tap" } }
        if place == nil { place = Self.directory("STATE_DIRECTORY").map { "\($0)/place" } }
        guard !unit.isEmpty else { throw Mistake(description: "\(path) names no unit: unit = nginx.service") }
        guard sink == nil || place != nil else {
            throw Mistake(
                description:
                    "\(path) has a setting forward, and no file for the place: place = /var/lib/unitwatch/place"
            )
        }
        _ = try schedule()
        _ = try query()
    }

    private static let kinds = SourceKinds.standard.adding(PressureRecords.self)

    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "unit": unit = value
        case "pause":
            guard let seconds = Double(value), seconds >= 0 else { return false }
            pause = .seconds(seconds)
        case "also":
            guard let source = try? Self.kinds.source(value) else { return false }
            others.append(NamedSource(value, source))
        case "forward":
            let words = value.split(separator: " ").map(String.init)
            guard words.count == 2, let sink = try? JetStreamSink(words[0], subject: words[1]) else { return false }
            self.sink = sink
        case "place": place = value
        case "summary": summary = value
        case "journal": journal = value
        case "socket": socket = value
        case "tap": tap = value
        default: return false
        }
        return true
    }

    /// The first directory that systemd has made for the service.
    private static func directory(_ variable: String) -> Substring? {
        ProcessInfo.processInfo.environment[variable]?.split(separator: ":").first
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
